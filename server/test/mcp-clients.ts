import { fileURLToPath } from 'node:url'
import { Client, type ClientCapabilities, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

/** `auto` speaks protocol 2026-07-28 with us, `legacy` uses the 2025 handshake. */
export type Mode = 'auto' | 'legacy'

const program = fileURLToPath(new URL('../bin/loci.js', import.meta.url))
const referenceServer = fileURLToPath(
  import.meta.resolve('@modelcontextprotocol/server-memory/dist/index.js'),
)

function newClient(mode: Mode, capabilities: ClientCapabilities = {}): Client {
  return new Client({ name: 'test-agent', version: '1.0.0' }, { versionNegotiation: { mode }, capabilities })
}

/** The official client on a server's `/mcp`. */
export async function connectOverHttp(
  server: { url: string },
  token: string,
  mode: Mode,
  capabilities?: ClientCapabilities,
): Promise<Client> {
  const client = newClient(mode, capabilities)
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  )
  return client
}

/** A `loci mcp` process with the official client connected to it. */
export async function connectOverStdio(
  env: Record<string, string>,
  mode: Mode,
  options: readonly string[] = [],
  capabilities?: ClientCapabilities,
): Promise<Client> {
  const args = [program, 'mcp', ...options]
  return connectToProcess(args, { LOCI_LOG_LEVEL: 'silent', ...env }, mode, capabilities)
}

/** A process of the reference memory server with the official client connected to it. */
export async function connectToReference(file: string): Promise<Client> {
  return connectToProcess([referenceServer], { MEMORY_FILE_PATH: file }, 'legacy')
}

async function connectToProcess(
  args: string[],
  env: Record<string, string>,
  mode: Mode,
  capabilities?: ClientCapabilities,
): Promise<Client> {
  const client = newClient(mode, capabilities)
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }))
  return client
}
