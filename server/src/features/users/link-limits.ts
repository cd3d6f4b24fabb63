import type { Counted } from '../../auth/attempts.ts'
import { minuteMs } from '../../lib/time.ts'

/** How many links by mail an address may ask for; it may be that of a whole office. */
export const linksFromAddress = (address: string): Counted => ({
  by: `links from ${address}`,
  rate: { burst: 30, intervalMs: minuteMs },
})

/** How many links may be mailed to one person, whoever asks. */
export const linksToEmail = (email: string): Counted => ({
  by: `links to ${email}`,
  rate: { burst: 5, intervalMs: 15 * minuteMs },
})
