import { useSyncExternalStore } from 'react'

/** `offline`: the browser has no network. `unreachable`: it has, but the server does not answer. */
export type Reachability = 'reachable' | 'offline' | 'unreachable'

const probeIntervalMs = 3_000
/** Answers without a session and without the database. */
const probePath = '/healthz'

let answers = true
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<(now: Reachability) => void>()

export function reachability(): Reachability {
  if (!navigator.onLine) return 'offline'
  return answers ? 'reachable' : 'unreachable'
}

/** Calls `listener` whenever that changes; the answer ends it. */
export function onReachability(listener: (now: Reachability) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useReachability(): Reachability {
  return useSyncExternalStore(onReachability, reachability)
}

/** Asks the server whether it is there. */
export async function probe(): Promise<boolean> {
  const response = await fetch(probePath, { cache: 'no-store' }).catch(() => undefined)
  setAnswers(response?.ok ?? false)
  return answers
}

/** `fetch` that notices whether the server answers. What fails without an answer is a {@link ConnectionError}. */
export const watchedFetch: typeof fetch = async (input, init) => {
  try {
    const response = await fetch(input, init)
    setAnswers(true)
    return response
  } catch (error) {
    if (init?.signal?.aborted) throw error
    // One broken call does not make a lost server: asked again before it is said.
    void probe()
    throw new ConnectionError(error)
  }
}

/** The call got no answer: whether the server did what it asked for is not known. */
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

/** Follows the browser's own idea of the network; called once. */
export function watchNetwork(): void {
  window.addEventListener('offline', announce)
  window.addEventListener('online', () => {
    announce()
    void probe()
  })
}
