import {
  type ClientMessage,
  type GraphEvent,
  normalCloseCode,
  pingIntervalMs,
  realtimePath,
  realtimeProtocol,
  reconnectAttemptsMax,
  reconnectIntervalMs,
  restartCloseCode,
  type ServerMessage,
} from '@loci/contract/realtime'

export type RealtimeStatus = 'connecting' | 'connected' | 'disconnecting' | 'disconnected'

export type RealtimeOptions = {
  /** Address of the server, `http(s)://` or `ws(s)://`. */
  baseUrl: string
  /** Session token or API key. */
  token: string
  /** Account and space whose events to receive; defaults to the token's own. */
  account?: string | undefined
  space?: string | undefined
  /** Sequence number of the last known change; later changes are replayed on open. */
  since?: number
  /** Called with a description of each dropped message; defaults to `console.warn`. */
  warn?: (message: string) => void
  WebSocket?: typeof WebSocket
}

/** Pings in a row without any message in return, after which the connection is taken for dead. */
const unansweredPingsMax = 2
/** What a close event says of a connection that ended without a closing handshake (RFC 6455, 7.1.5). */
const lostCloseCode = 1006

type MessageOf<T extends ServerMessage['type']> = Extract<ServerMessage, { type: T }>
type Handler = (message: ServerMessage) => void

/**
 * A self-healing connection to the realtime interface: it pings while open, reconnects after an unclean
 * close or when nothing is heard any more, and requests the changes it missed.
 */
export class RealtimeClient {
  #options: RealtimeOptions
  #socket: WebSocket | undefined
  #status: RealtimeStatus = 'disconnected'
  #attempts = 0
  #lastSeq: number | undefined
  #unansweredPings = 0
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

  /** Sequence number of the last change seen; undefined before the first response. */
  get lastSeq(): number | undefined {
    return this.#lastSeq
  }

  /**
   * Opens the connection, also after reconnection attempts have run out or while the last one is being closed; does
   * nothing if it is open.
   */
  connect(): void {
    if (this.#socket && this.#status !== 'disconnecting') return
    clearTimeout(this.#retryTimer)
    clearInterval(this.#pingTimer)
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
    // A close event always follows an error and decides what to do.
    socket.onerror = () => {}
  }

  /** Closes the connection without reconnecting. */
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

  /** Subscribes to the events of one entity; the subscription survives reconnects. */
  subscribeToEntity(entityId: string): void {
    this.#entityIds.add(entityId)
    if (this.#status === 'connected') this.send({ type: 'subscribe_to_entity', payload: { entityId } })
  }

  unsubscribeFromEntity(entityId: string): void {
    if (!this.#entityIds.delete(entityId)) return
    if (this.#status === 'connected') this.send({ type: 'unsubscribe_from_entity', payload: { entityId } })
  }

  /** Calls `handler` for each message of a type; call the returned function to stop. */
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

  /**
   * Calls `handler` when the server's log went back, e.g. after a restored backup: data read earlier
   * may no longer exist.
   */
  onRewind(handler: () => void): () => void {
    this.#rewindHandlers.add(handler)
    return () => this.#rewindHandlers.delete(handler)
  }

  #opened(): void {
    this.#attempts = 0
    this.#unansweredPings = 0
    this.#setStatus('connected')
    this.#pingTimer = setInterval(() => this.#ping(), pingIntervalMs)
    const payload = this.#lastSeq === undefined ? {} : { since: this.#lastSeq }
    this.send({ type: 'subscribe_to_graph_changes', payload })
    for (const entityId of this.#entityIds) this.send({ type: 'subscribe_to_entity', payload: { entityId } })
  }

  /** A connection can die without a close event, e.g. when a router forgets it. */
  #ping(): void {
    const socket = this.#socket
    if (socket && this.#unansweredPings >= unansweredPingsMax) {
      this.#closed(socket, lostCloseCode)
      socket.close()
    } else {
      this.#unansweredPings += 1
      this.send({ type: 'ping', payload: {} })
    }
  }

  #received(data: unknown): void {
    this.#unansweredPings = 0
    const message = parseMessage(data)
    if (!message) {
      this.#warn('A message that cannot be read was dropped')
      return
    }
    if ('seq' in message) {
      // An event can arrive twice, by replay and live.
      if (this.#lastSeq !== undefined && message.seq <= this.#lastSeq) return
      this.#lastSeq = message.seq
    } else if (message.type === 'subscribed' && message.payload.entityId === undefined) {
      this.#subscribed(message.payload.seq)
    }
    for (const key of [message.type, '*']) {
      for (const handler of this.#handlers.get(key) ?? []) handler(message)
    }
  }

  /** Only sets the starting point; after that the events themselves carry the position. */
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
    const share = code === restartCloseCode ? Math.random() : 1
    this.#retryTimer = setTimeout(() => this.connect(), share * reconnectIntervalMs)
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
