import { useSyncExternalStore } from 'react'

/** `offline`: the browser has no network. `unreachable`: it has one, but the server does not respond. */
export type Reachability = 'reachable' | 'offline' | 'unreachable'

const probeIntervalMs = 3_000
/** A server that is silent for this long is as good as gone. */
const probeMaxMs = 10_000
/** What a proxy answers for a server that does not (RFC 9110, 15.6.3 to 15.6.5). */
const gatewayErrors = [502, 503, 504]
/** Responds without a session and without the database. */
const probePath = '/healthz'

let answers = true
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<(now: Reachability) => void>()

export function reachability(): Reachability {
  if (!navigator.onLine) return 'offline'
  return answers ? 'reachable' : 'unreachable'
}

/** Calls `listener` on every change; returns a function that stops it. */
export function onReachability(listener: (now: Reachability) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useReachability(): Reachability {
  return useSyncExternalStore(onReachability, reachability)
}

/** Checks whether the server responds. */
export async function probe(): Promise<boolean> {
  const signal = AbortSignal.timeout(probeMaxMs)
  const response = await fetch(probePath, { cache: 'no-store', signal }).catch(() => undefined)
  setAnswers(response?.ok ?? false)
  return answers
}

/** `fetch` that tracks whether the server responds. A call that gets no response throws a {@link ConnectionError}. */
export const watchedFetch: typeof fetch = async (input, init) => {
  try {
    const response = await fetch(input, init)
    if (gatewayErrors.includes(response.status)) void probe()
    else setAnswers(true)
    return response
  } catch (error) {
    if (init?.signal?.aborted) throw error
    // One failed call does not mean that the server is down: probe before reporting it.
    void probe()
    throw new ConnectionError(error)
  }
}

/** The call got no response, so it is unknown whether the server carried it out. */
export class ConnectionError extends Error {
  override name = 'ConnectionError'

  constructor(cause: unknown) {
    super('The server cannot be reached', { cause })
  }
}

function setAnswers(now: boolean): void {
  const before = answers
  answers = now
  if (now !== before) announce()
  clearTimeout(timer)
  if (!now) timer = setTimeout(() => void probe(), probeIntervalMs)
}

function announce(): void {
  for (const listener of listeners) listener(reachability())
}

/** Follows the browser's online state. Call it once. */
export function watchNetwork(): void {
  window.addEventListener('offline', announce)
  window.addEventListener('online', () => {
    announce()
    void probe()
  })
}
