import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  request as requestHttp,
} from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { AddressRefused, createLookUp, type Resolve } from '../../../ground/lib/look-up.ts'
import { untilZero } from '../../../ground/lib/pace.ts'
import { isPublicAddress } from '../../../ground/lib/public-addresses.ts'
import { secondMs } from '../../../ground/lib/time.ts'
import { version } from '../../../ground/version.ts'
import { hostOf } from '../target-url.rules.ts'
import { isSuccess } from './retries.rules.ts'
import { signaturesOf } from './sign.ts'

const tryMs = 20 * secondMs
/** A series waits at most this long, all in all, for moments in which no call runs. */
const giveWayMs = 25
const answerBytesMax = 64 * 1024
const answerCharsMax = 1_000
/** Answers of status 1xx before the final one. */
const interimMax = 100
/** Below the 5 seconds after which many servers close an idle connection, perhaps while we write to it. */
const idleMs = 4 * secondMs
const idleSocketsMax = 256

/** The result of one attempt. */
export type Posted = {
  /** When it began. */
  at: number
  statusCode: number | null
  ms: number
  /** Why it failed; undefined for a success. */
  error: string | undefined
  /** The beginning of the response. */
  answer: string | null
}

export type PostOptions = {
  allowsPrivate: boolean
  /** At index 0 the number of running calls, to which requests give way. */
  callsRunning: Int32Array
  /** Timeout of one attempt. */
  tryMs?: number | undefined
  resolve?: Resolve | undefined
}

/** Events for one endpoint, in the order in which they are sent. */
export type Series = {
  url: string
  secrets: readonly string[]
  events: readonly { id: string; body: string }[]
  /** The time now. */
  at: number
  /** After this time no further request begins. */
  msMax: number
}

/** Thrown when it is unknown what became of requests, for a reason of ours. */
export class RequestLost extends Error {}

/** Sends webhook requests over keep-alive connections. */
export type Poster = {
  /**
   * Posts events one after the other up to the first that fails. Returns the attempts that ended, at least one unless
   * `signal` aborts. Throws only {@link RequestLost}.
   */
  post: (series: Series, signal: AbortSignal) => Promise<Posted[]>
  close: () => void
}

export function createPoster(options: PostOptions): Poster {
  const lookup = createLookUp(options.allowsPrivate, options.resolve)
  const agentOptions = { keepAlive: true, timeout: idleMs, maxFreeSockets: idleSocketsMax, lookup }
  const agents = { http: new HttpAgent(agentOptions), https: new HttpsAgent(agentOptions) }

  function open(url: URL, headers: Record<string, string>): ClientRequest {
    const host = hostOf(url)
    // Literal addresses skip the lookup, which checks the others.
    if (!options.allowsPrivate && isIP(host) !== 0 && !isPublicAddress(host)) {
      throw new AddressRefused(`${host} is not public`)
    }
    const init = { method: 'POST', headers }
    return url.protocol === 'https:'
      ? requestHttps(url, { ...init, agent: agents.https })
      : requestHttp(url, { ...init, agent: agents.http })
  }

  async function attempt(url: string, message: Message, signal: AbortSignal): Promise<Answer> {
    const { headers, body } = message
    for (;;) {
      const request = open(new URL(url), headers)
      let isAnswered = false
      request.on('response', () => {
        isAnswered = true
      })
      try {
        return await exchange(request, body, signal)
      } catch (error) {
        // The receiver closed a keep-alive connection just as we reused it.
        const isStale = request.reusedSocket && !isAnswered && codeOf(error) === 'ECONNRESET'
        if (!isStale || signal.aborted) throw error
      }
    }
  }

  /** Undefined if `signal` aborted it. */
  async function postOne(
    url: string,
    message: Message,
    signal: AbortSignal,
  ): Promise<Omit<Posted, 'at'> | undefined> {
    const begun = performance.now()
    const timeout = AbortSignal.timeout(options.tryMs ?? tryMs)
    const elapsedMs = () => Math.round(performance.now() - begun)
    try {
      const { statusCode, text } = await attempt(url, message, AbortSignal.any([signal, timeout]))
      return { statusCode, ms: elapsedMs(), error: errorOfStatus(statusCode), answer: text }
    } catch (error) {
      if (signal.aborted) return undefined
      const reason = timeout.aborted
        ? `No complete answer within ${tryMs / secondMs} seconds`
        : describe(error)
      return { statusCode: null, ms: elapsedMs(), error: reason, answer: null }
    }
  }

  return {
    async post({ url, secrets, events, at: begunAt, msMax }, signal) {
      const begun = performance.now()
      const elapsedMs = () => Math.round(performance.now() - begun)
      const done: Posted[] = []
      let waitMs = giveWayMs
      for (const event of events) {
        waitMs -= await untilZero(options.callsRunning, waitMs)
        if (done.length > 0 && elapsedMs() >= msMax) break
        const at = begunAt + elapsedMs()
        const posted = await postOne(url, messageOf(event, secrets, at), signal)
        if (posted === undefined) break
        done.push({ at, ...posted })
        if (posted.error !== undefined) break
      }
      return done
    },
    close() {
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}

type Message = { headers: Record<string, string>; body: string }

function messageOf({ id, body }: Series['events'][number], secrets: readonly string[], at: number): Message {
  const timestamp = Math.floor(at / secondMs)
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'user-agent': `Loci/${version}`,
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signaturesOf(secrets, { id, timestamp, body }),
  }
  return { headers, body }
}

type Answer = { statusCode: number; text: string }

/** Sends the body and reads the response, or its beginning if it is long. */
function exchange(request: ClientRequest, body: string, signal: AbortSignal): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const abort = () => {
    request.destroy()
    reject(new Error('aborted'))
  }
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  request.on('error', reject)
  // Without a listener, Node.js closes the connection and emits neither a response nor an error.
  request.on('upgrade', ({ statusCode }, socket) => {
    socket.destroy()
    resolve({ statusCode: statusCode!, text: '' })
  })
  let interim = 0
  request.on('information', () => {
    interim++
    if (interim > interimMax) request.destroy(new Error('endless interim answers'))
  })
  request.on('response', (response) => readAnswer(request, response, resolve, reject))
  request.end(body)
  return promise.finally(() => signal.removeEventListener('abort', abort))
}

function readAnswer(
  request: ClientRequest,
  response: IncomingMessage,
  resolve: (answer: Answer) => void,
  reject: (error: Error) => void,
): void {
  const chunks: Buffer[] = []
  let bytes = 0
  const end = () => resolve({ statusCode: response.statusCode!, text: toText(Buffer.concat(chunks)) })
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes < answerBytesMax) return
    end()
    request.destroy()
  })
  response.on('end', end)
  response.on('error', reject)
}

/** Text that every database can store. */
const toText = (bytes: Buffer) =>
  bytes
    .subarray(0, answerBytesMax)
    .toString()
    .slice(0, answerCharsMax)
    .replaceAll('\0', '\ufffd')
    .toWellFormed()

function errorOfStatus(statusCode: number): string | undefined {
  if (isSuccess(statusCode)) return undefined
  return statusCode >= 300 && statusCode < 400
    ? `Answered ${statusCode}; redirects are not followed`
    : `Answered ${statusCode}`
}

const codeOf = (error: unknown) => String((error as NodeJS.ErrnoException).code ?? '')

const reasons: Record<string, string> = {
  ADDRESS_REFUSED: 'The address is private',
  ECONNREFUSED: 'Connection refused',
  ECONNRESET: 'Connection closed before an answer came',
  ENOTFOUND: 'The host name was not found',
  EAI_AGAIN: 'The host name could not be looked up',
  ETIMEDOUT: 'No connection in time',
  EHOSTUNREACH: 'The host cannot be reached',
  ENETUNREACH: 'The network cannot be reached',
}

/** Uses our own words or the error code, since error messages contain addresses. */
function describe(error: unknown): string {
  const code = codeOf(error)
  return reasons[code] ?? (code === '' ? 'The request failed' : `The request failed: ${code}`)
}
