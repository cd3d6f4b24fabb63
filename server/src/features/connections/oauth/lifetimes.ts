import { dayMs, hourMs, minuteMs, secondMs } from '../../../lib/time.ts'

const seconds = (ms: number) => ms / secondMs

/** In seconds, as the authorization server counts. A connection lasts as long as it is used every 90 days. */
export const lifetimes = {
  AuthorizationCode: seconds(minuteMs),
  AccessToken: seconds(hourMs),
  RefreshToken: seconds(90 * dayMs),
  /** As long as somebody may take to sign in, or sign up, and to decide. */
  Interaction: seconds(hourMs),
  Session: seconds(minuteMs),
  // Ends when its tokens have: their rows say when.
  Grant: seconds(365 * dayMs),
}

/** A program that registered itself has so long to be connected; one that was is known for longer than its tokens. */
export const clientUnusedKeptMs = 7 * dayMs
export const clientUsedKeptMs = 365 * dayMs
