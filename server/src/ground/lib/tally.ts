/** Counts by key; keys at 0 take no memory. */
export type Tally<Key> = { get: (key: Key) => number; add: (key: Key, count: number) => void }

export function createTally<Key>(): Tally<Key> {
  const counts = new Map<Key, number>()
  const get = (key: Key) => counts.get(key) ?? 0
  return {
    get,
    add(key, count) {
      const sum = get(key) + count
      if (sum === 0) counts.delete(key)
      else counts.set(key, sum)
    },
  }
}
