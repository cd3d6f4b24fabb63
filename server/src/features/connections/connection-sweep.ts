import type { PeriodicWork } from '../../ground/lib/periodic-work.ts'
import { hourMs } from '../../ground/lib/time.ts'
import type { Db } from '../../store/db.ts'
import { deleteExpired } from '../../store/delete-expired.ts'
import { transact } from '../../store/transact.ts'
import { sweepEndedCredentials } from '../../tenancy/auth/sweep-credentials.ts'
import type { Context } from '../../tenancy/context.ts'
import { createLeasedRounds } from '../../tenancy/leases/leased-rounds.ts'
import type { GoOn } from '../../tenancy/leases/under-lease.ts'
import { listEndedConnections } from './connections.repo.ts'
import { endConnection } from './end-connection.ts'

const rowsPerSlice = 200
/** What is left after this many waits for the next round. */
const slicesPerRound = 500

/** Deletes expired credentials, requests, connections without tokens, and clients that nobody connected; once an hour. */
export const createConnectionSweep = (ctx: Context): PeriodicWork =>
  createLeasedRounds(ctx, {
    name: 'expired',
    everyMs: hourMs,
    run: (goOn) => sweepConnections(ctx, goOn),
    failure: 'expired data of sessions and connected apps could not be deleted',
  })

/** Runs one round, until nothing is left or `goOn`, called before each slice, returns false. */
export async function sweepConnections(ctx: Context, goOn: GoOn = async () => true): Promise<void> {
  const slices: ((db: Db, now: number) => Promise<number>)[] = [
    sweepEndedCredentials,
    (db, now) => deleteExpired(db, 'oauth_requests', now, rowsPerSlice),
    (db, now) => deleteExpired(db, 'oauth_clients', now, rowsPerSlice),
  ]
  for (const slice of slices) {
    await repeat(goOn, () => transact(ctx, ({ db, now }) => slice(db, now())))
  }
  await repeat(goOn, async () => {
    const ended = await listEndedConnections(ctx.db, ctx.now(), rowsPerSlice)
    for (const { accountId, id } of ended) await endConnection(ctx, accountId, id)
    return ended.length
  })
}

async function repeat(goOn: GoOn, slice: () => Promise<number>): Promise<void> {
  for (let i = 0; i < slicesPerRound && (await goOn()); i++) if ((await slice()) === 0) return
}
