import { minuteMs } from '../../ground/lib/time.ts'
import type { Counted } from '../../tenancy/auth/attempts.ts'

/** Limit of mailed links per IP address, which a whole office may share. */
export const linksFromAddress = (address: string): Counted => ({
  by: `links from ${address}`,
  rate: { burst: 30, intervalMs: minuteMs },
})

/** Limit of links mailed to one person, whoever requests them. */
export const linksToEmail = (email: string): Counted => ({
  by: `links to ${email}`,
  rate: { burst: 5, intervalMs: 15 * minuteMs },
})
