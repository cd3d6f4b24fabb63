import { secondMs } from './time.ts'

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
