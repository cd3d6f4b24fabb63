import { stdioCommand } from '@loci/contract/program'
import { cursorLink, vscodeLink } from './install-links.ts'

/** How to configure one client. */
export type AgentClient = {
  id: string
  name: string
  /** Where to paste the text. */
  where: string
  text: (address: KeyedAddress) => string
  /** Further instructions. */
  hint: string
  /** Opens the client, which adds the server and then signs in through the browser. */
  link?: (address: Address) => string
  /** Calls from the internet, and has the user sign in here. */
  isChat?: boolean
}

/** Where agents reach a memory. */
export type Address = {
  /** The name of the server in clients. */
  server: string
  url: string
  origin: string
  /** The space, unless it is the one that the key leads to. */
  space: string | undefined
  /** Undefined until a key is created. */
  key: string | undefined
  /** The path of Loci's program on this machine; undefined if only the server's owner knows it. */
  program: string | undefined
}
type KeyedAddress = Address & { key: string }

const json = (value: unknown) => JSON.stringify(value, null, 2)
const bearer = (key: string) => `Bearer ${key}`
const stdio = ({ origin, key, program, space }: KeyedAddress) => ({
  command: program === undefined ? stdioCommand.command : 'node',
  args: [
    ...(program === undefined ? stdioCommand.args : [program, 'mcp']),
    ...(space === undefined ? [] : ['--space', space]),
  ],
  env: { LOCI_URL: origin, LOCI_API_KEY: key },
})

/** The clients in display order. */
export const agentClients: readonly AgentClient[] = [
  {
    id: 'claude-code',
    name: 'Claude Code',
    where: 'Run in a terminal',
    text: ({ server, url, key }) =>
      `claude mcp add -s user --transport http ${server} ${url} --header "Authorization: ${bearer(key)}"`,
    hint: '"-s user" adds it to every project; without it, only to the current folder.',
  },
  {
    id: 'claude-desktop',
    name: 'Claude Desktop',
    where: 'claude_desktop_config.json',
    text: (address) => json({ mcpServers: { [address.server]: stdio(address) } }),
    hint: 'Settings, Developer, Edit Config: paste this, then restart. Needs Node.js.',
  },
  {
    id: 'claude-ai',
    name: 'Claude (web, phone)',
    where: 'Connector address',
    text: ({ url }) => url,
    hint: 'In Claude: Settings, Connectors, Add custom connector. Paste the address; Claude then sends you here to allow it.',
    isChat: true,
  },
  {
    id: 'chatgpt',
    name: 'ChatGPT',
    where: 'MCP server URL',
    text: ({ url }) => `${url}?profile=chatgpt`,
    hint: 'In ChatGPT: Settings, Apps and Connectors, Advanced settings, Developer mode; then Create, with OAuth.',
    isChat: true,
  },
  {
    id: 'cursor',
    name: 'Cursor',
    where: '~/.cursor/mcp.json',
    text: ({ server, url, key }) =>
      json({ mcpServers: { [server]: { url, headers: { Authorization: bearer(key) } } } }),
    link: ({ server, url }) => cursorLink({ url }, server),
    hint: 'Or .cursor/mcp.json, for one project. Without the headers, Cursor signs in through your browser.',
  },
  {
    id: 'vscode',
    name: 'VS Code',
    where: '.vscode/mcp.json',
    text: ({ server, url }) =>
      json({
        inputs: [{ type: 'promptString', id: server, description: 'Loci API key', password: true }],
        servers: {
          [server]: { type: 'http', url, headers: { Authorization: `Bearer \${input:${server}}` } },
        },
      }),
    link: ({ server, url }) => vscodeLink({ type: 'http', url }, server),
    hint: 'VS Code asks for the key once and keeps it safe. Without inputs and headers, it signs in through your browser.',
  },
  {
    id: 'codex',
    name: 'Codex',
    where: 'Run in a terminal',
    text: ({ server, url, key }) => {
      // One variable for each server, since their keys can differ.
      const variable = `${server.replaceAll('-', '_').toUpperCase()}_API_KEY`
      return `export ${variable}=${key}\ncodex mcp add ${server} --url ${url} --bearer-token-env-var ${variable}`
    },
    hint: 'Codex reads the key from the environment each time it starts.',
  },
  {
    id: 'gemini',
    name: 'Gemini CLI',
    where: 'Run in a terminal',
    text: ({ server, url, key }) =>
      `gemini mcp add -s user -t http -H "Authorization: ${bearer(key)}" ${server} ${url}`,
    hint: 'Gemini uses it in folders that you trust; elsewhere "gemini mcp list" shows it as disabled.',
  },
  {
    id: 'copilot',
    name: 'Copilot CLI',
    where: 'Run in a terminal',
    text: ({ server, url, key }) =>
      `copilot mcp add --transport http --header "Authorization: ${bearer(key)}" ${server} ${url}`,
    hint: '"copilot mcp list" shows it.',
  },
  {
    id: 'opencode',
    name: 'opencode',
    where: 'Run in a terminal',
    text: ({ server, url, key }) =>
      `opencode mcp add ${server} --url ${url} --header "Authorization=${bearer(key)}"`,
    hint: '"opencode mcp list" shows whether it is connected.',
  },
  {
    id: 'qwen',
    name: 'Qwen Code',
    where: 'Run in a terminal',
    text: ({ server, url, key }) =>
      `qwen mcp add -s user -t http -H "Authorization: ${bearer(key)}" ${server} ${url}`,
    hint: '"qwen mcp list" shows whether it is connected.',
  },
  {
    id: 'mcp-json',
    name: 'Other clients (HTTP)',
    where: '.mcp.json',
    text: ({ server, url, key }) =>
      json({ mcpServers: { [server]: { type: 'http', url, headers: { Authorization: bearer(key) } } } }),
    hint: 'Any client that speaks MCP over Streamable HTTP.',
  },
  {
    id: 'stdio',
    name: 'Other clients (stdio)',
    where: 'The client’s MCP configuration',
    text: (address) => json({ mcpServers: { [address.server]: stdio(address) } }),
    hint: 'For clients that start a program. Needs Node.js; it passes everything on to this server.',
  },
]

const privateHosts =
  /^(localhost|127\.|10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.|\[)|\.(local|internal|localhost)$/

/** Whether chat clients, which call from the internet and over https only, can reach this server. */
export function isReachableByChats(origin: string): boolean {
  const { protocol, hostname } = new URL(origin)
  return protocol === 'https:' && hostname.includes('.') && !privateHosts.test(hostname)
}
