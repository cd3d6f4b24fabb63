/** Work that runs at the start and then periodically, never concurrently with itself. */
export type PeriodicWork = {
  start: () => void
  /** Waits for the current round. */
  close: () => Promise<void>
}

/** PeriodicWork that would begin while one is still running are skipped. `onError` gets the errors of `work`. */
export function createPeriodicWork(
  everyMs: number,
  work: () => Promise<void>,
  onError: (error: unknown) => void,
): PeriodicWork {
  let timer: NodeJS.Timeout | undefined
  let round: Promise<void> | undefined
  const begin = () => {
    round ??= work()
      .catch(onError)
      .finally(() => {
        round = undefined
      })
  }
  return {
    start() {
      timer = setInterval(begin, everyMs).unref()
      begin()
    },
    async close() {
      clearInterval(timer)
      await round
    },
  }
}
