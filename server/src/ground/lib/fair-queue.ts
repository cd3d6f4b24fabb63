/** A queue in which keys take turns, so that a key with many items does not hold up the others. */
export type FairQueue<T, Key extends string | number = string | number> = {
  readonly size: number
  push: (key: Key, item: T) => void
  /** Takes the oldest item of the next key that `isReady`; the other keys keep their places. */
  shift: (isReady?: (key: Key) => boolean) => T | undefined
  /** Removes an item; false if it is no longer queued. */
  remove: (key: Key, item: T) => boolean
}

export function createFairQueue<T, Key extends string | number = string | number>(): FairQueue<T, Key> {
  // The keys are in the order of their turns.
  const lines = new Map<Key, T[]>()
  let size = 0

  function findReady(isReady: (key: Key) => boolean): [Key, T[]] | undefined {
    for (const entry of lines) if (isReady(entry[0])) return entry
    return undefined
  }

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
    shift(isReady = () => true) {
      const next = findReady(isReady)
      if (next === undefined) return undefined
      const [key, line] = next
      size--
      lines.delete(key)
      const item = line.shift()
      if (line.length > 0) lines.set(key, line)
      return item
    },
    remove(key, item) {
      const line = lines.get(key)
      const place = line?.indexOf(item) ?? -1
      if (line === undefined || place < 0) return false
      size--
      line.splice(place, 1)
      if (line.length === 0) lines.delete(key)
      return true
    },
  }
}
