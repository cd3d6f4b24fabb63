import { RealtimeClient } from '@loci/client/realtime'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Logger } from 'pino'
import { ConfigError } from '../config.ts'
import { entityUri, graphUri, mcpPath } from './addresses.ts'
import { serverInfo, serverOptions } from './server.ts'
import { endOfInput } from './stdio.ts'

/** Serves MCP on standard input and output, each request answered by the server at `url`. Until the input ends. */
export async function runBridge(url: string, apiKey: string | undefined, log: Logger): Promise<void> {
  if (apiKey === undefined) throw new ConfigError('LOCI_URL is set, so LOCI_API_KEY must be set too.')
  const upstream = createUpstream(url, apiKey, log)
  const handle = serveStdio(() => createBridgeServer(upstream), {
    onerror: (error) => log.warn({ err: error }, 'mcp'),
  })
  await endOfInput()
  await handle.close()
  await upstream.close()
}

/** The connection to the remote server, made at the first request, when the agent's own name is known. */
type Upstream = { client: (server: Server) => Promise<Client>; close: () => Promise<void> }

function createUpstream(url: string, apiKey: string, log: Logger): Upstream {
  let connecting: Promise<Client> | undefined
  let updates: RealtimeClient | undefined
  return {
    client(server) {
      connecting ??= connect(url, apiKey, server).catch((error) => {
        connecting = undefined
        throw new Error(
          `The Loci server at ${url} does not answer as it should: ${(error as Error).message}`,
          { cause: error },
        )
      })
      updates ??= passOnUpdates(url, apiKey, server, log)
      return connecting
    },
    async close() {
      updates?.close()
      await (await connecting?.catch(() => undefined))?.close()
    },
  }
}

async function connect(url: string, apiKey: string, server: Server): Promise<Client> {
  const { name = 'loci-bridge', version = serverInfo.version } = server.getClientVersion() ?? {}
  const client = new Client({ name, version }, { versionNegotiation: { mode: 'auto' } })
  const headers = { authorization: `Bearer ${apiKey}` }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url + mcpPath), { requestInit: { headers } }),
  )
  return client
}

/** Tells the agent of changes as the server tells them to us. */
function passOnUpdates(url: string, apiKey: string, server: Server, log: Logger): RealtimeClient {
  const realtime = new RealtimeClient({ baseUrl: url, token: apiKey, warn: (message) => log.warn(message) })
  const tell = (uri: string) =>
    void server.sendResourceUpdated({ uri }).catch((error) => log.warn({ err: error }, 'mcp'))
  realtime.onGraphEvent((event) => {
    tell(graphUri)
    if ('name' in event.payload) tell(entityUri(event.payload.name))
  })
  realtime.connect()
  return realtime
}

/** The same surface as our own server, each call passed on. */
function createBridgeServer(upstream: Upstream): Server {
  const server = new Server(serverInfo, serverOptions)
  const remote = () => upstream.client(server)
  server.setRequestHandler('tools/list', async ({ params }) => (await remote()).listTools(params))
  server.setRequestHandler('tools/call', async ({ params }) => (await remote()).callTool(params))
  server.setRequestHandler('resources/list', async ({ params }) => (await remote()).listResources(params))
  server.setRequestHandler('resources/templates/list', async ({ params }) =>
    (await remote()).listResourceTemplates(params),
  )
  server.setRequestHandler('resources/read', async ({ params }) => (await remote()).readResource(params))
  server.setRequestHandler('resources/subscribe', () => ({}))
  server.setRequestHandler('resources/unsubscribe', () => ({}))
  server.setRequestHandler('prompts/list', async ({ params }) => (await remote()).listPrompts(params))
  server.setRequestHandler('prompts/get', async ({ params }) => (await remote()).getPrompt(params))
  return server
}
