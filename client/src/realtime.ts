import {
  type ClientMessage,
  type GraphEvent,
  normalCloseCode,
  pingIntervalMs,
  realtimePath,
  realtimeProtocol,
  reconnectAttemptsMax,
  reconnectIntervalMs,
  type ServerMessage,
} from '@loci/contract/realtime'

export type RealtimeStatus = 'connecting' | 'connected' | 'disconnecting' | 'disconnected'

export type RealtimeOptions = {
  /** Where the server is, `http(s)://` or `ws(s)://`. */
  baseUrl: string
  /** Session token or API key. */
  token: string
  /** Which account and space of them the events are of; the token's own unless given. */
  account?: string | undefined
  space?: string | undefined
  /** Last change already known; what came after it is replayed on open. */
  since?: number
  /** Told what is dropped; `console.warn` unless given. */
  warn?: (message: string) => void
  WebSocket?: typeof WebSocket
}

type MessageOf<T extends ServerMessage['type']> = Extract<ServerMessage, { type: T }>
type Handler = (message: ServerMessage) => void

/**
 * A connection to the realtime interface that mends itself: it pings while open, comes back after an unclean
 * close, and asks for the changes missed meanwhile.
 */
export class RealtimeClient {
  #options: RealtimeOptions
  #socket: WebSocket | undefined
  #status: RealtimeStatus = 'disconnected'
  #attempts = 0
  #lastSeq: number | undefined
  #pingTimer: ReturnType<typeof setInterval> | undefined
  #retryTimer: ReturnType<typeof setTimeout> | undefined
  #entityIds = new Set<string>()
  #handlers = new Map<string, Set<Handler>>()
  #statusHandlers = new Set<(status: RealtimeStatus) => void>()
  #rewindHandlers = new Set<() => void>()

  constructor(options: RealtimeOptions) {
    this.#options = options
    this.#lastSeq = options.since
  }

  get status(): RealtimeStatus {
    return this.#status
  }

  /** Number of the last change seen; undefined before the first answer. */
  get lastSeq(): number | undefined {
    return this.#lastSeq
  }

  /** Opens the connection, also after the attempts to reconnect have run out; nothing when it is open. */
  connect(): void {
    if (this.#socket) return
    clearTimeout(this.#retryTimer)
    const { baseUrl, account, space } = this.#options
    const query = new URLSearchParams({ ...(account && { account }), ...(space && { space }) })
    const url = `${baseUrl.replace(/^http/, 'ws')}${realtimePath}${query.size === 0 ? '' : `?${query}`}`
    const Socket = this.#options.WebSocket ?? WebSocket
    this.#setStatus('connecting')
    const socket = new Socket(url, [realtimeProtocol, this.#options.token])
    this.#socket = socket
    socket.onopen = () => this.#opened()
    socket.onmessage = (event) => this.#received(event.data)
    socket.onclose = (event) => this.#closed(socket, event.code)
    // An error is always followed by a close, which decides what to do.
    socket.onerror = () => {}
  }

  /** Ends the connection for good. */
  close(): void {
    clearTimeout(this.#retryTimer)
    const socket = this.#socket
    if (!socket) {
      this.#setStatus('disconnected')
      return
    }
    this.#setStatus('disconnecting')
    socket.close(normalCloseCode)
  }

  /** Sends a message, or drops it with a warning while disconnected. */
  send(message: ClientMessage): void {
    if (this.#status !== 'connected' || !this.#socket) {
      this.#warn(`Not connected: "${message.type}" was dropped`)
      return
    }
    this.#socket.send(
      JSON.stringify({ id: crypto.randomUUID(), timestamp: new Date().toISOString(), ...message }),
    )
  }

  /** Events of one entity, kept across reconnects. */
  subscribeToEntity(entityId: string): void {
    this.#entityIds.add(entityId)
    if (this.#status === 'connected') this.send({ type: 'subscribe_to_entity', payload: { entityId } })
  }

  unsubscribeFromEntity(entityId: string): void {
    if (!this.#entityIds.delete(entityId)) return
    if (this.#status === 'connected') this.send({ type: 'unsubscribe_from_entity', payload: { entityId } })
  }

  /** Calls `handler` for each message of a type; the answer ends that. */
  on<T extends ServerMessage['type']>(type: T, handler: (message: MessageOf<T>) => void): () => void {
    return this.#listen(type, handler as Handler)
  }

  /** Calls `handler` for each change of the graph. */
  onGraphEvent(handler: (event: GraphEvent) => void): () => void {
    return this.#listen('*', (message) => {
      if ('seq' in message) handler(message)
    })
  }

  onStatus(handler: (status: RealtimeStatus) => void): () => void {
    this.#statusHandlers.add(handler)
    return () => this.#statusHandlers.delete(handler)
  }

  /** Calls `handler` when the server's log has gone back, as after a restored backup: what was read may be no more. */
  onRewind(handler: () => void): () => void {
    this.#rewindHandlers.add(handler)
    return () => this.#rewindHandlers.delete(handler)
  }

  #opened(): void {
    this.#attempts = 0
    this.#setStatus('connected')
    this.#pingTimer = setInterval(() => this.send({ type: 'ping', payload: {} }), pingIntervalMs)
    const payload = this.#lastSeq === undefined ? {} : { since: this.#lastSeq }
    this.send({ type: 'subscribe_to_graph_changes', payload })
    for (const entityId of this.#entityIds) this.send({ type: 'subscribe_to_entity', payload: { entityId } })
  }

  #received(data: unknown): void {
    const message = parseMessage(data)
    if (!message) {
      this.#warn('A message that cannot be read was dropped')
      return
    }
    if ('seq' in message) {
      // An event can come twice, by replay and live.
      if (this.#lastSeq !== undefined && message.seq <= this.#lastSeq) return
      this.#lastSeq = message.seq
    } else if (message.type === 'subscribed' && message.payload.entityId === undefined) {
      this.#subscribed(message.payload.seq)
    }
    for (const key of [message.type, '*']) {
      for (const handler of this.#handlers.get(key) ?? []) handler(message)
    }
  }

  /** Only where we begin: from there the events themselves say how far we are. */
  #subscribed(seq: number): void {
    const before = this.#lastSeq
    if (before !== undefined && before <= seq) return
    this.#lastSeq = seq
    if (before === undefined) return
    for (const handler of this.#rewindHandlers) handler()
  }

  #closed(socket: WebSocket, code: number): void {
    if (this.#socket !== socket) return
    this.#socket = undefined
    clearInterval(this.#pingTimer)
    const ended = code === normalCloseCode || this.#status === 'disconnecting'
    this.#setStatus('disconnected')
    if (ended || this.#attempts >= reconnectAttemptsMax) return
    this.#attempts += 1
    this.#retryTimer = setTimeout(() => this.connect(), reconnectIntervalMs)
  }

  #listen(key: string, handler: Handler): () => void {
    const handlers = this.#handlers.get(key) ?? new Set()
    this.#handlers.set(key, handlers.add(handler))
    return () => handlers.delete(handler)
  }

  #setStatus(status: RealtimeStatus): void {
    if (status === this.#status) return
    this.#status = status
    for (const handler of this.#statusHandlers) handler(status)
  }

  #warn(message: string): void {
    ;(this.#options.warn ?? console.warn)(message)
  }
}

function parseMessage(data: unknown): ServerMessage | undefined {
  try {
    const message: unknown = JSON.parse(String(data))
    return typeof (message as ServerMessage | null)?.type === 'string'
      ? (message as ServerMessage)
      : undefined
  } catch {
    return undefined
  }
}
