/** What the program is called where people and their agents look for it; the version is that of the server. */
export const program = {
  name: 'loci',
  title: 'Loci',
  /** On npm. `npx -y` of it starts the program. */
  packageName: '@loci/loci',
  /** The typed client, on npm too. */
  clientPackageName: '@loci/client',
  /** In the MCP registry. Whoever publishes proves that they own the domain, here loci.dev. */
  registryName: 'dev.loci/loci',
  /** At most 100 characters: the registry takes no more. */
  description: 'Persistent memory for AI agents: a knowledge graph that you can see, search and correct',
} as const

/** How a client on this machine starts the program as a server on standard input and output. */
export const stdioCommand = { command: 'npx', args: ['-y', program.packageName, 'mcp'] } as const
