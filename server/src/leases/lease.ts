import { randomUUID } from 'node:crypto'
import type { Context } from '../context.ts'
import type { Db } from '../db/db.ts'
import { releaseLease, takeLease } from './leases.repo.ts'

/** Thrown when work finds that another process has taken its lease. */
export class LeaseLost extends Error {}

/** A lease from the point of view of one holder. */
export type Lease = {
  /** Takes or renews it; false while another holder has it. In a transaction, pass the transaction. */
  hold: (db?: Db) => Promise<boolean>
  release: () => Promise<void>
}

/** The lease of this name for a new holder. It expires `leaseMs` after its last renewal. */
export function createLease({ db, now }: Pick<Context, 'db' | 'now'>, name: string, leaseMs: number): Lease {
  const holder = randomUUID()
  return {
    async hold(of = db) {
      const at = now()
      return takeLease(of, name, holder, { now: at, expiresAt: at + leaseMs })
    },
    release: () => releaseLease(db, name, holder),
  }
}
