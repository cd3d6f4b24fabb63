/** Notifies those who listen at a key, whose count tells that something has happened there. */
export type CountWatch<Key> = {
  /** Returns a function that unsubscribes. */
  add: (key: Key, listener: () => void) => () => void
  /** Notifies the listeners at a key without comparing. */
  tell: (key: Key) => void
  /** Notifies the listeners at a key unless this count was seen before. */
  compare: (key: Key, count: number) => void
  /** Whether the count of a key has been compared since somebody listens there. */
  isKnown: (key: Key) => boolean
  /** Where somebody listens. */
  keys: () => Key[]
  readonly size: number
}

type Watched = { count: number | undefined; listeners: Set<() => void> }

export function createCountWatch<Key>(): CountWatch<Key> {
  const all = new Map<Key, Watched>()
  const tell = (key: Key) => {
    for (const listener of all.get(key)?.listeners ?? []) listener()
  }
  return {
    add(key, listener) {
      const watched = all.get(key) ?? { count: undefined, listeners: new Set() }
      all.set(key, watched)
      watched.listeners.add(listener)
      return () => {
        watched.listeners.delete(listener)
        if (watched.listeners.size === 0 && all.get(key) === watched) all.delete(key)
      }
    },
    tell,
    compare(key, count) {
      const watched = all.get(key)
      if (watched === undefined || watched.count === count) return
      watched.count = count
      tell(key)
    },
    isKnown: (key) => all.get(key)?.count !== undefined,
    keys: () => [...all.keys()],
    get size() {
      return all.size
    },
  }
}
