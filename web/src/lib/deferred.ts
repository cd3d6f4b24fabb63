/** As long as a toast with Undo is shown. */
const delayMs = 5_000

type Deferred = { timer: ReturnType<typeof setTimeout>; run: () => void }

const waiting = new Set<Deferred>()

/**
 * Runs something that the server cannot take back once the time for Undo is over, or the page is left. Returns a
 * function that cancels it; false if it has run.
 */
export function defer(action: () => void): () => boolean {
  window.addEventListener('pagehide', runDeferred)
  const deferred: Deferred = {
    run: () => {
      clearTimeout(deferred.timer)
      if (waiting.delete(deferred)) action()
    },
    timer: setTimeout(() => deferred.run(), delayMs),
  }
  waiting.add(deferred)
  return () => {
    clearTimeout(deferred.timer)
    return waiting.delete(deferred)
  }
}

/** Runs at once what still waits. */
export function runDeferred(): void {
  for (const { run } of [...waiting]) run()
}
