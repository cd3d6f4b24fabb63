import { RealtimeClient } from '@loci/client/realtime'
import {
  Client,
  ProtocolError,
  SdkHttpError,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { Server, type ServerContext } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Logger } from 'pino'
import { ConfigError } from '../config.ts'
import { entityUri, graphUri, mcpPath } from './addresses.ts'
import { clientOf } from './client-name.ts'
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
type Upstream = {
  ask: <T>(server: Server, request: ServerContext, question: (client: Client) => Promise<T>) => Promise<T>
  close: () => Promise<void>
}

function createUpstream(url: string, apiKey: string, log: Logger): Upstream {
  let connecting: Promise<Client> | undefined
  let updates: RealtimeClient | undefined
  const connectOnce = (server: Server, request: ServerContext) => {
    connecting ??= connect(url, apiKey, clientOf(server, request)).catch((error) => {
      connecting = undefined
      throw error
    })
    return connecting
  }
  return {
    async ask(server, request, question) {
      updates ??= passOnUpdates(url, apiKey, server, log)
      try {
        return await question(await connectOnce(server, request))
      } catch (error) {
        throw error instanceof ProtocolError ? error : toBridgeError(url, error)
      }
    },
    async close() {
      updates?.close()
      await (await connecting?.catch(() => undefined))?.close()
    },
  }
}

/** What is wrong between us and the server, in words for whoever set us up. */
function toBridgeError(url: string, cause: unknown): Error {
  if (cause instanceof SdkHttpError && cause.status === 401) {
    return new Error(`The Loci server at ${url} does not accept the key in LOCI_API_KEY.`, { cause })
  }
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new Error(`The Loci server at ${url} does not answer as it should: ${reason}`, { cause })
}

async function connect(
  url: string,
  apiKey: string,
  agent = { name: 'loci-bridge', version: serverInfo.version },
): Promise<Client> {
  const client = new Client(agent, { versionNegotiation: { mode: 'auto' } })
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
function createBridgeServer({ ask }: Upstream): Server {
  const server = new Server(serverInfo, serverOptions)
  server.setRequestHandler('tools/list', ({ params }, request) =>
    ask(server, request, (client) => client.listTools(params)),
  )
  server.setRequestHandler('tools/call', ({ params }, request) =>
    ask(server, request, (client) => client.callTool(params)),
  )
  server.setRequestHandler('resources/list', ({ params }, request) =>
    ask(server, request, (client) => client.listResources(params)),
  )
  server.setRequestHandler('resources/templates/list', ({ params }, request) =>
    ask(server, request, (client) => client.listResourceTemplates(params)),
  )
  server.setRequestHandler('resources/read', ({ params }, request) =>
    ask(server, request, (client) => client.readResource(params)),
  )
  server.setRequestHandler('resources/subscribe', () => ({}))
  server.setRequestHandler('resources/unsubscribe', () => ({}))
  server.setRequestHandler('prompts/list', ({ params }, request) =>
    ask(server, request, (client) => client.listPrompts(params)),
  )
  server.setRequestHandler('prompts/get', ({ params }, request) =>
    ask(server, request, (client) => client.getPrompt(params)),
  )
  return server
}
