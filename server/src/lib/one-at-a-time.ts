/**
 * Makes of `work` something that can be asked for at any time: it runs one at a time, and once more if it was asked
 * for meanwhile. `work` deals with its own errors.
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
