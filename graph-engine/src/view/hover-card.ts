const restMs = 300

/**
 * Reports a node once the pointer has rested on it, and -1 as soon as the pointer leaves or the view
 * moves.
 */
export class HoverCard {
  readonly #report: (node: number) => void
  #timer = 0
  #shown = -1

  constructor(report: (node: number) => void) {
    this.#report = report
  }

  /** The node under the pointer, or -1. */
  over(node: number): void {
    if (node === this.#shown && node >= 0) return
    this.close()
    if (node < 0) return
    this.#timer = window.setTimeout(() => {
      this.#shown = node
      this.#report(node)
    }, restMs)
  }

  close(): void {
    clearTimeout(this.#timer)
    if (this.#shown < 0) return
    this.#shown = -1
    this.#report(-1)
  }
}
