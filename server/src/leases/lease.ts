import { randomUUID } from 'node:crypto'
import type { Context } from '../context.ts'
import type { Db } from '../db/db.ts'
import { releaseLease, takeLease } from './leases.repo.ts'

/** Thrown by work that finds its lease taken by another process. */
export class LeaseLost extends Error {}

/** A lease as one holder sees it. */
export type Lease = {
  /** Takes or renews it; false while another holder has it. In a transaction, pass the transaction. */
  hold: (db?: Db) => Promise<boolean>
  release: () => Promise<void>
}

/** The lease of this name for a new holder. It expires `leaseMs` after it was last renewed. */
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
