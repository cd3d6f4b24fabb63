import { stdioCommand } from '@loci/contract/program'
import { cursorLink, vscodeLink } from './install-links.ts'

/** How to configure one client. */
export type AgentClient = {
  id: string
  name: string
  /** Where to paste the text. */
  where: string
  text: (address: Address) => string
  /** Further instructions. */
  hint: (address: Address) => string
  /** Opens the client, which adds the server and then signs in through the browser. */
  link?: (address: Address) => string
  /** Calls from the internet, and has the user sign in here. */
  isChat?: boolean
}

/** `program`: the path of Loci's program on this machine; undefined if only the server's owner knows it. */
export type Address = { url: string; origin: string; key: string; program: string | undefined }

const json = (value: unknown) => JSON.stringify(value, null, 2)
const bearer = (key: string) => `Bearer ${key}`
const stdio = ({ origin, key, program }: Address) => ({
  ...(program === undefined ? stdioCommand : { command: 'node', args: [program, 'mcp'] }),
  env: { LOCI_URL: origin, LOCI_API_KEY: key },
})

/** The clients in display order. */
export const agentClients: readonly AgentClient[] = [
  {
    id: 'claude-code',
    name: 'Claude Code',
    where: 'Run in a terminal',
    text: ({ url, key }) =>
      `claude mcp add -s user --transport http loci ${url} --header "Authorization: ${bearer(key)}"`,
    hint: () => '"-s user" adds it to every project; without it, only to the current folder.',
  },
  {
    id: 'claude-desktop',
    name: 'Claude Desktop',
    where: 'claude_desktop_config.json',
    text: (address) => json({ mcpServers: { loci: stdio(address) } }),
    hint: () => 'Settings, Developer, Edit Config: paste this, then restart. Needs Node.js.',
  },
  {
    id: 'claude-ai',
    name: 'Claude (web, phone)',
    where: 'Connector address',
    text: ({ url }) => url,
    hint: () =>
      'In Claude: Settings, Connectors, Add custom connector. Paste the address; Claude then sends you here to allow it.',
    isChat: true,
  },
  {
    id: 'chatgpt',
    name: 'ChatGPT',
    where: 'MCP server URL',
    text: ({ url }) => `${url}?profile=chatgpt`,
    hint: () =>
      'In ChatGPT: Settings, Apps and Connectors, Advanced settings, Developer mode; then Create, with OAuth.',
    isChat: true,
  },
  {
    id: 'cursor',
    name: 'Cursor',
    where: '~/.cursor/mcp.json',
    text: ({ url, key }) => json({ mcpServers: { loci: { url, headers: { Authorization: bearer(key) } } } }),
    link: ({ url }) => cursorLink({ url }),
    hint: () =>
      'Or .cursor/mcp.json, for one project. Without the headers, Cursor signs in through your browser.',
  },
  {
    id: 'vscode',
    name: 'VS Code',
    where: '.vscode/mcp.json',
    text: ({ url }) =>
      json({
        inputs: [{ type: 'promptString', id: 'loci', description: 'Loci API key', password: true }],
        servers: { loci: { type: 'http', url, headers: { Authorization: `Bearer \${input:loci}` } } },
      }),
    link: ({ url }) => vscodeLink({ type: 'http', url }),
    hint: () =>
      'VS Code asks for the key once and keeps it safe. Without inputs and headers, it signs in through your browser.',
  },
  {
    id: 'codex',
    name: 'Codex',
    where: 'Run in a terminal',
    text: ({ url, key }) =>
      `export LOCI_API_KEY=${key}\ncodex mcp add loci --url ${url} --bearer-token-env-var LOCI_API_KEY`,
    hint: () => 'Codex reads the key from the environment each time it starts.',
  },
  {
    id: 'gemini',
    name: 'Gemini CLI',
    where: 'Run in a terminal',
    text: ({ url, key }) => `gemini mcp add -s user -t http -H "Authorization: ${bearer(key)}" loci ${url}`,
    hint: () => 'Gemini uses it in folders that you trust; elsewhere "gemini mcp list" shows it as disabled.',
  },
  {
    id: 'mcp-json',
    name: 'Other clients (HTTP)',
    where: '.mcp.json',
    text: ({ url, key }) =>
      json({ mcpServers: { loci: { type: 'http', url, headers: { Authorization: bearer(key) } } } }),
    hint: () => 'Any client that speaks MCP over Streamable HTTP.',
  },
  {
    id: 'stdio',
    name: 'Other clients (stdio)',
    where: 'The client’s MCP configuration',
    text: (address) => json({ mcpServers: { loci: stdio(address) } }),
    hint: () => 'For clients that start a program. Needs Node.js; it passes everything on to this server.',
  },
]

/** This server's address as seen by an agent on the same machine or network. */
export function addressOf(origin: string, key: string, program: string): Address {
  return { origin, url: `${origin}/mcp`, key, program: program === '' ? undefined : program }
}

const privateHosts =
  /^(localhost|127\.|10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.|\[)|\.(local|internal|localhost)$/

/** Whether chat clients, which call from the internet and over https only, can reach this server. */
export function isReachableByChats(origin: string): boolean {
  const { protocol, hostname } = new URL(origin)
  return protocol === 'https:' && hostname.includes('.') && !privateHosts.test(hostname)
}
