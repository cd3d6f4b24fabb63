import { dayMs } from '../lib/time.ts'

/** A clock that is behind by more was ahead before: then its new time counts. */
const setBackMax = 7 * dayMs

/**
 * The time of a write, in milliseconds. If the clock was set back, time stands still until it has caught up with the
 * newest change, so that the change log is in the order of time and nothing is older than what it changes.
 */
export function timeOfWrite(now: number, newest: number): number {
  return newest > now && newest - now <= setBackMax ? newest : now
}
