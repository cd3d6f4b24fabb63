/** The program's names in registries and agents; the version is the server's. */
export const program = {
  name: 'loci',
  title: 'Loci',
  /** On npm; `npx -y` with this name starts the program. */
  packageName: '@loci/loci',
  /** The typed client, also on npm. */
  clientPackageName: '@loci/client',
  /** In the MCP registry. The publisher must prove ownership of the domain, here loci.dev. */
  registryName: 'dev.loci/loci',
  /** At most 100 characters, the registry's limit. */
  description: 'Persistent memory for AI agents: a knowledge graph that you can see, search and correct',
} as const

/** How a client on this machine starts the program as a server over standard input and output. */
export const stdioCommand = { command: 'npx', args: ['-y', program.packageName, 'mcp'] } as const
