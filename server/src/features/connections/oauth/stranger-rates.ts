import { networkOf } from '../../../ground/lib/networks.ts'
import { minuteMs, secondMs } from '../../../ground/lib/time.ts'
import type { Counted } from '../../../tenancy/auth/attempts.ts'

/** Services that connect many people use few addresses. */
const ofAnAddress = { burst: 100, intervalMs: minuteMs / 2 }
const ofAll = { burst: 5_000, intervalMs: 2 * secondMs }

/** How often strangers may store something of a kind, each and together. */
export const ratesOf = (kind: string, address: string): Counted[] => [
  { by: `oauth ${kind} ${networkOf(address)}`, rate: ofAnAddress },
  { by: `oauth ${kind}`, rate: ofAll },
]
