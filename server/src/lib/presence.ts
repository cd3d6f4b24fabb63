import { secondMs } from './time.ts'

/** Whoever came within this time counts as present, so that a caller who pauses between calls keeps its share. */
const presentMs = secondMs

/** Knows whether a caller has company, of callers named by numbers or texts. */
export type Presence<Key> = {
  /** To be told of each call. */
  see: (caller: Key) => void
  /** True while somebody else has called within the last second. */
  hasCompany: (caller: Key) => boolean
}

/** @param now milliseconds */
export function createPresence<Key>(now: () => number): Presence<Key> {
  type Seen = { caller: Key | undefined; at: number }
  // The last caller, and the last who was somebody else.
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
