import { program } from '../../contract/src/program.ts'
import { version } from '../../server/src/ground/version.ts'

const author = { name: program.title }
const keywords = ['memory', 'knowledge-graph', 'mcp', 'recall']

/** Claude Code asks for these when the plugin is enabled; an empty address keeps the memory on this machine. */
const userConfig = {
  address: {
    type: 'string',
    title: 'Address of your Loci server',
    description: 'Leave it empty to keep the memory on this machine.',
    default: '',
  },
  api_key: {
    type: 'string',
    title: 'API key',
    description: 'Needed with an address only: Settings of your server shows it.',
    sensitive: true,
    default: '',
  },
}

export const pluginJson = {
  name: program.name,
  displayName: program.title,
  version,
  description: `${program.description}. Recalls at the start of a session and offers to save what was learned.`,
  author,
  keywords,
  userConfig,
}

const option = (name: keyof typeof userConfig) => `\${user_config.${name}}`

const pluginFile = (path: string) => `\${CLAUDE_PLUGIN_ROOT}/${path}`

/** An empty variable counts as unset. */
export const pluginMcpJson = {
  mcpServers: {
    [program.name]: {
      command: 'node',
      args: [pluginFile('start.mjs')],
      env: { LOCI_URL: option('address'), LOCI_API_KEY: option('api_key') },
    },
  },
}

const script = (name: string) => ({
  type: 'command',
  command: 'node',
  args: [pluginFile(`hooks/${name}.mjs`)],
})

/** Claude Code names the servers of plugins so. */
const ownServer = `plugin:${program.name}:${program.name}`

const promptHook = {
  type: 'mcp_tool',
  server: ownServer,
  tool: 'prompt_context',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: Claude Code fills these in.
  input: { prompt: '${prompt}', session: '${session_id}', folder: '${cwd}', agent: 'claude-code' },
  timeout: 5,
}

/** Claude no longer has what prompts called to mind. */
const compactHook = {
  ...promptHook,
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as above.
  input: { prompt: '', session: '${session_id}', event: 'SessionStart' },
}

export const pluginHooksJson = {
  description:
    'Recalls what is known about the project and what prompts name, and offers to save what was learned.',
  hooks: {
    SessionStart: [
      { hooks: [{ ...script('recall'), timeout: 30, statusMessage: 'Recalling from Loci ...' }] },
      { matcher: 'compact', hooks: [compactHook] },
    ],
    UserPromptSubmit: [{ hooks: [promptHook] }],
    Stop: [{ hooks: [{ ...script('offer-to-save'), timeout: 5 }] }],
  },
}

export const marketplaceJson = {
  name: program.name,
  owner: author,
  metadata: { description: program.description },
  plugins: [
    {
      name: program.name,
      source: './plugins/claude-code',
      description: pluginJson.description,
      category: 'productivity',
      keywords,
    },
  ],
}
