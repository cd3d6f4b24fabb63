/** Runs at once, then at most once per `intervalMs`; a call in between always causes one more run. */
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
