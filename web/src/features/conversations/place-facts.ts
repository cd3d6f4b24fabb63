/** Where facts wish to stand, beside their words, and how high they are; in the order of the conversation. */
export type Wish = { id: string; top: number; height: number }

const gap = 12

/** Each fact at its words, or as far below as those above it need. */
export function placeFacts(wishes: readonly Wish[]): Map<string, number> {
  const tops = new Map<string, number>()
  let free = 0
  for (const { id, top, height } of wishes) {
    const place = Math.max(top, free)
    tops.set(id, place)
    free = place + height + gap
  }
  return tops
}

/** The height that all of them take. */
export function heightOf(wishes: readonly Wish[], tops: ReadonlyMap<string, number>): number {
  const last = wishes.at(-1)
  return last === undefined ? 0 : tops.get(last.id)! + last.height + gap
}
