import {
  Client,
  ProtocolError,
  SdkHttpError,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import {
  type CallToolRequestParams,
  isJSONRPCRequest,
  type ProtocolEra,
  type Server,
  type ServerContext,
  type Transport,
} from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Logger } from 'pino'
import { z } from 'zod'
import { projectNameOf } from '../../../../plugins/claude-code/hooks/project.mjs'
import { ConfigError } from '../../ground/config/config.ts'
import { rootReason } from '../../ground/lib/root-reason.ts'
import { mcpPath, spacePathPrefix } from '../../ground/mcp-path.ts'
import { CheckedServer } from './checked-server.ts'
import { clientOf } from './client-name.ts'
import { finishCallsBeforeClose } from './finish-calls.ts'
import { capabilitiesOf, declaredViews, showsViews } from './graph-view.ts'
import { createRemoteUpdates, type RemoteUpdates } from './remote-updates.ts'
import { serverInfo, serverOptions, unchanging } from './server.ts'
import { handleSkills, readSkill } from './skills.ts'
import { endOfInput } from './stdio.ts'
import { createStdioTransport } from './stdio-transport.ts'

/** `views`: whether it shows the graph in the chat. */
type Agent = { name: string; version: string; views?: boolean }

/** Serves MCP on standard input and output until the input ends; the server at `url` answers each request. */
export async function runBridge(
  url: string,
  apiKey: string | undefined,
  log: Logger,
  space?: string,
): Promise<void> {
  if (apiKey === undefined) throw new ConfigError('LOCI_URL is set, so LOCI_API_KEY must be set too.')
  const onerror = (error: unknown) => log.warn({ err: error }, 'mcp')
  const ended = endOfInput()
  let tell = (_uri: string) => {}
  const upstream = createUpstream({ url, apiKey, space }, (uri) => tell(uri))
  const updates = createRemoteUpdates(upstream.connect, (uri) => tell(uri), log)
  const transport = createStdioTransport()
  const handle = serveStdio(
    ({ era }) => {
      const server = createBridgeServer(upstream, updates, era)
      tell = (uri) => void server.sendResourceUpdated({ uri }).catch(onerror)
      return server
    },
    { transport, onerror },
  )
  followListens(transport, updates, onerror)
  await Promise.race([ended, finishCallsBeforeClose(transport)])
  await transport.close()
  updates.close()
  await handle.close()
  await upstream.close()
}

/** The connection to the remote server, opened at the first request, when the agent's own name is known. */
type Upstream = {
  connect: (agent?: Agent) => Promise<Client>
  ask: <T>(agent: Agent | undefined, question: (client: Client) => Promise<T>) => Promise<T>
  close: () => Promise<void>
}

type Remote = { url: string; apiKey: string; space: string | undefined }

function createUpstream(remote: Remote, tell: (uri: string) => void): Upstream {
  let connecting: Promise<Client> | undefined
  const connect = (agent?: Agent) => {
    connecting ??= connectTo(remote, tell, agent).catch((error) => {
      connecting = undefined
      throw error
    })
    return connecting
  }
  return {
    connect,
    async ask(agent, question) {
      try {
        return await question(await connect(agent))
      } catch (error) {
        throw error instanceof ProtocolError ? error : toBridgeError(remote, error)
      }
    },
    close: async () => (await connecting?.catch(() => undefined))?.close(),
  }
}

async function connectTo(
  { url, apiKey, space }: Remote,
  tell: (uri: string) => void,
  agent: Agent = { name: 'loci-bridge', version: serverInfo.version },
): Promise<Client> {
  const { views = false, ...info } = agent
  const capabilities = views ? declaredViews : {}
  const client = new Client(info, { versionNegotiation: { mode: 'auto' }, capabilities })
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => tell(params.uri))
  const headers = { authorization: `Bearer ${apiKey}` }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url + pathOf(space)), { requestInit: { headers } }),
  )
  return client
}

const pathOf = (space: string | undefined) =>
  space === undefined ? mcpPath : spacePathPrefix + encodeURIComponent(space)

/** Describes a problem between us and the server for the person who set us up. */
function toBridgeError({ url, space }: Remote, cause: unknown): Error {
  if (cause instanceof SdkHttpError && cause.status === 401) {
    return new Error(`The Loci server at ${url} does not accept the key in LOCI_API_KEY.`, { cause })
  }
  if (cause instanceof SdkHttpError && cause.status === 404 && space !== undefined) {
    return new Error(`The key in LOCI_API_KEY reaches no space ${space} on the Loci server at ${url}.`, {
      cause,
    })
  }
  return new Error(`The Loci server at ${url} does not answer as it should: ${rootReason(cause)}`, { cause })
}

const Listen = z.object({
  method: z.literal('subscriptions/listen'),
  params: z.object({ notifications: z.object({ resourceSubscriptions: z.array(z.string()) }) }),
})

/** In protocol 2026-07-28 the SDK handles subscriptions, so we observe the requests as they arrive. */
function followListens(
  transport: Transport,
  updates: RemoteUpdates,
  onerror: (error: unknown) => void,
): void {
  const deliver = transport.onmessage
  transport.onmessage = async (message, extra) => {
    const listen = isJSONRPCRequest(message) ? Listen.safeParse(message) : undefined
    const uris = listen?.data?.params.notifications.resourceSubscriptions ?? []
    if (uris.length > 0) await Promise.all(uris.map(updates.add)).catch(onerror)
    deliver?.(message, extra)
  }
}

function agentOf(server: Server, request: ServerContext): Agent | undefined {
  const client = clientOf(server, request)
  return client && { ...client, views: showsViews(capabilitiesOf(server, request)) }
}

/** Only this machine knows of which repository the folder of a hook is; the server takes the last part for the name. */
function withProject(params: CallToolRequestParams): CallToolRequestParams {
  const { folder } = params.arguments ?? {}
  if (params.name !== 'prompt_context' || typeof folder !== 'string') return params
  return { ...params, arguments: { ...params.arguments, folder: projectNameOf(folder) } }
}

/** The same surface as our own server, each call passed on. */
function createBridgeServer(upstream: Upstream, updates: RemoteUpdates, era: ProtocolEra): Server {
  const server = new CheckedServer(serverInfo, serverOptions(true))
  const ask = <T>(request: ServerContext, question: (client: Client) => Promise<T>) =>
    upstream.ask(agentOf(server, request), question)
  server.setRequestHandler('tools/list', ({ params }, request) =>
    ask(request, (client) => client.listTools(params)),
  )
  server.setRequestHandler('tools/call', ({ params }, request) =>
    ask(request, (client) => client.callTool(withProject(params))),
  )
  server.setRequestHandler('resources/list', ({ params }, request) =>
    ask(request, (client) => client.listResources(params)),
  )
  server.setRequestHandler('resources/templates/list', ({ params }, request) =>
    ask(request, (client) => client.listResourceTemplates(params)),
  )
  server.setRequestHandler('resources/read', ({ params }, request) => {
    const skill = readSkill(params.uri)
    return skill ? { contents: [skill] } : ask(request, (client) => client.readResource(params))
  })
  handleSkills(server, era === 'modern' ? unchanging : {})
  server.setRequestHandler('resources/subscribe', async ({ params }, request) => {
    await ask(request, () => updates.add(params.uri))
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    updates.remove(params.uri)
    return {}
  })
  server.setRequestHandler('prompts/list', ({ params }, request) =>
    ask(request, (client) => client.listPrompts(params)),
  )
  server.setRequestHandler('prompts/get', ({ params }, request) =>
    ask(request, (client) => client.getPrompt(params)),
  )
  server.setRequestHandler('completion/complete', ({ params }, request) =>
    ask(request, (client) => client.complete(params)),
  )
  return server
}
