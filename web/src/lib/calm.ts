/** Runs at once, then at most once in `intervalMs` however often it is asked, and never misses the last ask. */
export function calm(run: () => void, intervalMs: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let again = false
  return function ask() {
    if (timer !== undefined) {
      again = true
      return
    }
    run()
    timer = setTimeout(() => {
      timer = undefined
      if (!again) return
      again = false
      ask()
    }, intervalMs)
  }
}
