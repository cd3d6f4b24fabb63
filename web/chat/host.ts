import type {
  McpUiHostContext,
  McpUiInitializeResult,
  McpUiToolResultNotification,
} from '@modelcontextprotocol/ext-apps'

export type ToolResult = McpUiToolResultNotification['params']

type Listeners = {
  result: (result: ToolResult) => void
  /** Only the changed properties. */
  context: (context: McpUiHostContext) => void
}

type Message = {
  id?: number | string
  method?: string
  params?: unknown
  result?: unknown
  error?: { message: string }
}

const protocolVersion = '2026-01-26'

/**
 * The chat client that embeds this page, over `postMessage`: the view's half of MCP Apps (2026-01-26), as far as we
 * use it. The official implementation would add half a megabyte of schemas to every view.
 */
export class Host {
  readonly #listeners: Listeners
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>()
  #asked = 0

  constructor(listeners: Listeners) {
    this.#listeners = listeners
    addEventListener('message', ({ source, data }) => {
      if (source === parent && data?.jsonrpc === '2.0') this.#receive(data)
    })
  }

  /** The host's capabilities and appearance. Tool results arrive only after this. */
  async connect(): Promise<McpUiInitializeResult> {
    const appInfo = { name: 'loci-graph', title: 'Loci graph', version: '1' }
    const appCapabilities = { availableDisplayModes: ['inline', 'fullscreen'] }
    const host = await this.ask('ui/initialize', { appInfo, appCapabilities, protocolVersion })
    this.tell('ui/notifications/initialized')
    return host as McpUiInitializeResult
  }

  /** The result of a tool of our server. Throws the tool's error. */
  async callTool(name: string, args: Record<string, unknown>): Promise<ToolResult> {
    const result = (await this.ask('tools/call', { name, arguments: args })) as ToolResult
    const [text] = result.content
    if (result.isError) throw new Error(text?.type === 'text' ? text.text : 'The memory refused.')
    return result
  }

  ask(method: string, params: object): Promise<unknown> {
    const id = ++this.#asked
    const answer = Promise.withResolvers<unknown>()
    this.#waiting.set(id, answer)
    this.#send({ id, method, params })
    return answer.promise
  }

  tell(method: string, params: object = {}): void {
    this.#send({ method, params })
  }

  /** A sandboxed frame has an opaque origin, so no target origin can be given. */
  #send(message: Message): void {
    parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
  }

  #receive({ id, method, params, result, error }: Message): void {
    if (method === undefined) this.#settle(id, result, error)
    else if (method === 'ui/notifications/tool-result') this.#listeners.result(params as ToolResult)
    else if (method === 'ui/notifications/host-context-changed')
      this.#listeners.context(params as McpUiHostContext)
    else if (id !== undefined) this.#send({ id, ...answerTo(method) })
  }

  #settle(id: Message['id'], result: unknown, error: Message['error']): void {
    const answer = this.#waiting.get(Number(id))
    this.#waiting.delete(Number(id))
    if (error === undefined) answer?.resolve(result)
    else answer?.reject(new Error(error.message))
  }
}

function answerTo(method: string) {
  if (method === 'ping' || method === 'ui/resource-teardown') return { result: {} }
  return { error: { code: -32601, message: `Unknown method ${method}` } }
}
