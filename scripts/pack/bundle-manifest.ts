import { program } from '../../contract/src/program.ts'
import { oldestNode } from '../../server/bin/oldest-node.js'
import { tools } from '../../server/src/doors/mcp/tools/index.ts'
import { version } from '../../server/src/ground/version.ts'

// As the clients write them that install bundles.
const here = `\${__dirname}`
const option = (name: string) => `\${user_config.${name}}`
const entry = 'server/bin/loci.js'

/** The manifest of the bundle for desktop clients, which start the program in it with a Node of their own. */
export const bundleManifest = {
  manifest_version: '0.3',
  name: program.name,
  display_name: program.title,
  version,
  description: program.description,
  long_description:
    'Your agents store what they learn as a knowledge graph of entities, facts and relations, and find it again in ' +
    'the next conversation. The memory stays on this machine, unless you give the address of a Loci server.',
  author: { name: program.title },
  icon: 'icon.png',
  keywords: ['memory', 'knowledge-graph', 'recall'],
  server: {
    type: 'node',
    entry_point: entry,
    mcp_config: {
      command: 'node',
      args: [`${here}/${entry}`, 'mcp'],
      env: { LOCI_URL: option('address'), LOCI_API_KEY: option('api_key') },
    },
  },
  tools: tools.map(({ name, listed }) => ({ name, description: listed.description ?? '' })),
  compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: `>=${oldestNode}` } },
  user_config: {
    address: {
      type: 'string',
      title: 'Address of your Loci server',
      description: 'Leave it empty to keep the memory on this machine.',
      required: false,
      default: '',
    },
    api_key: {
      type: 'string',
      title: 'API key',
      description: 'Needed with an address only. The settings page of the server shows it.',
      required: false,
      sensitive: true,
      default: '',
    },
  },
}
