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

/** One client may connect many people from few addresses, and proves its key at each refresh. */
const proofsOfAnAddress = { burst: 1_000, intervalMs: secondMs }
const proofsOfAll = { burst: 20_000, intervalMs: 50 }

/** How often clients may prove their key; each proof is stored until it expires. */
export const proofRatesOf = (address: string): Counted[] => [
  { by: `oauth proof ${networkOf(address)}`, rate: proofsOfAnAddress },
  { by: 'oauth proof', rate: proofsOfAll },
]
