import { dayMs } from '../../ground/lib/time.ts'

/** If a clock is behind by more than this, it was wrong before: the new time is accepted. */
const setBackMax = 7 * dayMs

/**
 * The time of a write, in milliseconds. If the clock was set back, the time of the newest change is
 * used until the clock has caught up, so that the change log is in time order and nothing is older than
 * what it changes.
 */
export function timeOfWrite(now: number, newest: number): number {
  return newest > now && newest - now <= setBackMax ? newest : now
}
