import { dayMs, hourMs, minuteMs, secondMs } from '../../../ground/lib/time.ts'

const seconds = (ms: number) => ms / secondMs

/** In seconds, as the authorization server counts. A connection lasts as long as it is used at least every 90 days. */
export const lifetimes = {
  AuthorizationCode: seconds(minuteMs),
  AccessToken: seconds(hourMs),
  RefreshToken: seconds(90 * dayMs),
  /** Time to sign in, or sign up, and to decide. */
  Interaction: seconds(hourMs),
  Session: seconds(minuteMs),
  // Ends with its tokens, whose rows say when.
  Grant: seconds(365 * dayMs),
}

/**
 * How long a client that registered itself is kept before its first connection; a connected one is kept for longer than
 * its tokens.
 */
export const clientUnusedKeptMs = 7 * dayMs
export const clientUsedKeptMs = 365 * dayMs

/** A client's proof of its key is stored until it expires, so that nobody uses it again. */
export const proofMsMax = hourMs
