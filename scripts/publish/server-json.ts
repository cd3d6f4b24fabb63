import { program } from '../../contract/src/program.ts'
import { version } from '../../server/src/ground/version.ts'

/** The MCP registry's entry: the program to start, or any server by its address. */
export const serverJson = {
  $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  name: program.registryName,
  title: program.title,
  description: program.description,
  version,
  packages: [
    {
      registryType: 'npm',
      identifier: program.packageName,
      version,
      runtimeHint: 'npx',
      transport: { type: 'stdio' },
      packageArguments: [{ type: 'positional', value: 'mcp' }],
      environmentVariables: [
        {
          name: 'LOCI_URL',
          description: 'Address of a Loci server that keeps the memory; without it, this machine keeps it',
          placeholder: 'https://loci.example.com',
        },
        {
          name: 'LOCI_API_KEY',
          description: 'API key of that server, or of an account on this machine',
          isSecret: true,
        },
        {
          name: 'LOCI_DATA_DIR',
          description: 'Folder in which this machine keeps the memory; ~/.loci without it',
          format: 'filepath',
        },
      ],
    },
  ],
  remotes: [
    {
      type: 'streamable-http',
      url: 'https://{host}/mcp',
      variables: {
        host: {
          description: 'Host name of your Loci server',
          placeholder: 'loci.example.com',
          isRequired: true,
        },
      },
      headers: [
        {
          name: 'Authorization',
          description: '"Bearer " and an API key; clients that sign in through the browser need none',
          placeholder: 'Bearer <API key>',
          isSecret: true,
        },
      ],
    },
  ],
}
