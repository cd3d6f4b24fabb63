/**
 * Wraps `work` so that it can be requested at any time: runs never overlap, and requests during a run cause one more.
 * `work` handles its own errors.
 */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let asked = false
  const run = async () => {
    while (asked) {
      asked = false
      await work()
    }
    running = undefined
  }
  return () => {
    asked = true
    running ??= run()
    return running
  }
}
