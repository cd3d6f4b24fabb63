/** Work that is begun at the start and then every so often, never twice at a time. */
export type Rounds = {
  start: () => void
  /** Waits for the round under way. */
  close: () => Promise<void>
}

/** A round that lasts longer than `everyMs` takes the place of those that would begin meanwhile. `onError` gets what `work` throws. */
export function createRounds(
  everyMs: number,
  work: () => Promise<void>,
  onError: (error: unknown) => void,
): Rounds {
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
