/** A queue in which keys take turns, so that one with much to do does not hold up those with little. */
export type FairQueue<T> = {
  readonly size: number
  push: (key: string | number, item: T) => void
  /** Takes the oldest item of the key whose turn it is. */
  shift: () => T | undefined
}

export function createFairQueue<T>(): FairQueue<T> {
  // The order of the keys is the order of their turns.
  const lines = new Map<string | number, T[]>()
  let size = 0
  return {
    get size() {
      return size
    },
    push(key, item) {
      size++
      const line = lines.get(key)
      if (line === undefined) lines.set(key, [item])
      else line.push(item)
    },
    shift() {
      const next = lines.entries().next().value
      if (next === undefined) return undefined
      const [key, line] = next
      size--
      lines.delete(key)
      const item = line.shift()
      if (line.length > 0) lines.set(key, line)
      return item
    },
  }
}
