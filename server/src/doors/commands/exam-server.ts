import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { ConfigError } from '../../ground/config/config.ts'
import { version } from '../../ground/version.ts'
import { examClient } from '../../tenancy/usage/keep-recall.ts'

/** A memory server that is started as a program; `tool` is the one that is asked, if not one of the usual names. */
export type ServerToAsk = { command: string; args: readonly string[]; tool?: string | undefined }
export type AskedServer = { ask: (question: string) => Promise<string> }

/** Tools by which memory servers are asked, the likely first. */
const usual = [
  'recall',
  'search_nodes',
  'search_memories',
  'search_memory',
  'memory_search',
  'search_notes',
  'search',
]

/** Starts a server over MCP on its standard input and output, and ends it after the work. */
export async function askServer(
  { command, args, tool }: ServerToAsk,
  work: (server: AskedServer) => Promise<void>,
): Promise<void> {
  const client = new Client({ name: examClient, version })
  const env = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== undefined))
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    env: env as Record<string, string>,
    stderr: 'ignore',
  })
  try {
    await client.connect(transport)
  } catch (cause) {
    throw new ConfigError(`${command} ${args.join(' ')} does not answer over MCP.`, { cause, exitCode: 2 })
  }
  try {
    const { name, argument } = await findTool(client, tool)
    await work({
      ask: async (question) => textOf(await client.callTool({ name, arguments: { [argument]: question } })),
    })
  } finally {
    await client.close()
  }
}

async function findTool(client: Client, wanted: string | undefined) {
  const { tools } = await client.listTools()
  const names = wanted === undefined ? usual : [wanted]
  const tool = names.flatMap((name) => tools.find((one) => one.name === name) ?? [])[0]
  if (tool === undefined)
    throw new ConfigError(
      `The server has no tool to ask${wanted === undefined ? '' : ` called ${wanted}`}. It has: ${tools.map(({ name }) => name).join(', ')}. Name one with --tool.`,
      { exitCode: 2 },
    )
  const properties = Object.keys(tool.inputSchema.properties ?? {})
  const argument =
    ['query', 'question', 'text', 'q'].find((name) => properties.includes(name)) ?? properties[0]
  if (argument === undefined)
    throw new ConfigError(`The tool ${tool.name} takes no question.`, { exitCode: 2 })
  return { name: tool.name, argument }
}

/** What a model reads of an answer. */
function textOf({ content }: { content?: unknown }): string {
  const parts = Array.isArray(content) ? content : []
  return parts.flatMap((part: { type?: string; text?: string }) => part.text ?? []).join('\n')
}
