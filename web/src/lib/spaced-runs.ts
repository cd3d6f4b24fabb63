const pauseMsMin = 300
/** Leaves at least three quarters of the time for everything else. */
const pauseFactor = 3

/**
 * Runs something for an id at once, and again if called meanwhile: one run per id at a time, followed by a
 * pause three times as long as the run. The last call is never missed; a failed run counts like any other.
 */
export function createSpacedRuns(run: (id: string) => Promise<unknown>): (id: string) => void {
  const askedAgain = new Map<string, boolean>()

  async function runAndPause(id: string): Promise<void> {
    const startedAt = performance.now()
    await run(id).catch(() => {})
    const tookMs = performance.now() - startedAt
    setTimeout(
      () => {
        const isDue = askedAgain.get(id)
        askedAgain.delete(id)
        if (isDue) ask(id)
      },
      Math.max(pauseMsMin, tookMs * pauseFactor),
    )
  }

  function ask(id: string): void {
    const isBusy = askedAgain.has(id)
    askedAgain.set(id, isBusy)
    if (!isBusy) void runAndPause(id)
  }
  return ask
}
