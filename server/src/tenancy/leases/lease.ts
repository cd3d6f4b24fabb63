import { randomUUID } from 'node:crypto'
import type { Db } from '../../store/db.ts'
import type { Context } from '../context.ts'
import { releaseLease, takeLease } from './leases.repo.ts'

/** Thrown when work finds that another process has taken its lease. */
export class LeaseLost extends Error {}

/** A lease from the point of view of one holder. */
export type Lease = {
  /**
   * Takes it, or renews it if a quarter of its time is over; false while another holder has it. In a transaction, pass
   * the transaction: that always renews it.
   */
  hold: (db?: Db) => Promise<boolean>
  release: () => Promise<void>
}

/** The lease of this name for a new holder. It expires `leaseMs` after its last renewal. */
export function createLease({ db, now }: Pick<Context, 'db' | 'now'>, name: string, leaseMs: number): Lease {
  const holder = randomUUID()
  let renewedAt: number | undefined
  return {
    async hold(of) {
      const at = now()
      // Renewing is a write; nobody else can take the lease before it expires.
      const isFresh = renewedAt !== undefined && at >= renewedAt && at - renewedAt < leaseMs / 4
      if (of === undefined && isFresh) return true
      const isHeld = await takeLease(of ?? db, name, holder, { now: at, expiresAt: at + leaseMs })
      if (of === undefined || !isHeld) renewedAt = isHeld ? at : undefined
      return isHeld
    },
    release() {
      renewedAt = undefined
      return releaseLease(db, name, holder)
    },
  }
}
