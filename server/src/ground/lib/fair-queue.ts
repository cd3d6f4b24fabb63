import { secondMs } from './time.ts'

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

/** A caller counts as present for this long after a call, so that one that pauses between calls keeps its share. */
const presentMs = secondMs

/** Tells whether other callers are active. Callers are numbers or texts. */
export type ActiveCallers<Key> = {
  /** Call it for each call. */
  see: (caller: Key) => void
  /** Whether another caller has called within the last second. */
  hasCompany: (caller: Key) => boolean
}

/** @param now milliseconds */
export function createActiveCallers<Key>(now: () => number): ActiveCallers<Key> {
  type Seen = { caller: Key | undefined; at: number }
  // The last caller, and the last different caller.
  let last: Seen = { caller: undefined, at: Number.NEGATIVE_INFINITY }
  let other = last
  return {
    see(caller) {
      const seen = { caller, at: now() }
      if (caller !== last.caller) other = last
      last = seen
    },
    hasCompany: (caller) => now() - (caller === last.caller ? other : last).at < presentMs,
  }
}

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
