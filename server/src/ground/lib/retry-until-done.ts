import { setTimeout as sleep } from 'node:timers/promises'

const retryMs = 1_000

/**
 * Retries `work` about each second, not all callers at the same moment, until it succeeds; undefined if `signal` aborts first. `onError` gets the first failure.
 */
export async function retryUntilDone<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  onError: (error: unknown) => void,
): Promise<T | undefined> {
  for (let attempt = 1; !signal.aborted; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === 1 && !signal.aborted) onError(error)
      await sleep(retryMs * (0.5 + Math.random()), undefined, { signal }).catch(() => {})
    }
  }
  return undefined
}
