/** The program's names in registries and agents, and its version. */
export const program = {
  name: 'loci',
  title: 'Loci',
  /** The same as in package.json. */
  version: '0.1.0',
  /** On npm. */
  packageName: '@loci/loci',
  /** The typed client, also on npm. */
  clientPackageName: '@loci/client',
  /** In the MCP registry. The publisher must prove ownership of the domain, here loci.dev. */
  registryName: 'dev.loci/loci',
  /** At most 100 characters, the registry's limit. */
  description: 'Persistent memory for AI agents: a knowledge graph that you can see, search and correct',
} as const

/**
 * How a client on this machine starts the program as a server over standard input and output. A given version that is in
 * npm's cache needs no network.
 */
export const stdioCommand = {
  command: 'npx',
  args: ['-y', '--prefer-offline', `${program.packageName}@${program.version}`, 'mcp'],
} as const
