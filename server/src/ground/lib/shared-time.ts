/** Processor time of this thread, in milliseconds; of the process before Node 23.9, which cannot tell threads apart. */
export function processorMs(): number {
  const { user, system } = (process.threadCpuUsage ?? process.cpuUsage)()
  return (user + system) / 1_000
}

/**
 * Divides a clock's time evenly among those who work at the same time: the clock cannot say which of them it was.
 * @param clock milliseconds, which pass only while somebody works
 */
export function createSharedTime(clock: () => number) {
  let working = 0
  let share = 0
  let settledAt = clock()

  function settle(): void {
    const at = clock()
    if (working > 0) share += (at - settledAt) / working
    settledAt = at
  }

  return {
    /** Begins to work. The returned function ends it, once, and says how many milliseconds were its own. */
    begin(): () => number {
      settle()
      working++
      const begunAt = share
      return () => {
        settle()
        working--
        return share - begunAt
      }
    },
  }
}
