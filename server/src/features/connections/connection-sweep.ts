import { sweepEndedCredentials } from '../../auth/sweep-credentials.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/db.ts'
import { transact } from '../../db/transact.ts'
import { createLease } from '../../leases/lease.ts'
import { createRounds, type Rounds } from '../../lib/rounds.ts'
import { hourMs, minuteMs } from '../../lib/time.ts'
import { listEndedConnections } from './connections.repo.ts'
import { endConnection } from './end-connection.ts'
import { deleteEndedClients } from './oauth/clients.repo.ts'
import { deleteEndedRequests } from './oauth/requests.repo.ts'

const rowsPerSlice = 200
/** What is left after this many waits for the next round. */
const slicesPerRound = 500
const leaseMs = 10 * minuteMs

/**
 * Deletes expired credentials, requests, connections without tokens, and clients that nobody connected; in one process at
 * a time.
 */
export function createConnectionSweep(ctx: Context): Rounds {
  let isClosed = false
  const sweep = async () => {
    const lease = createLease(ctx, 'expired', leaseMs)
    await sweepConnections(ctx, async () => !isClosed && lease.hold())
    await lease.release()
  }
  const rounds = createRounds(hourMs, sweep, (error) =>
    ctx.log.error({ err: error }, 'expired data of sessions and connected apps could not be deleted'),
  )
  return {
    start: rounds.start,
    close() {
      isClosed = true
      return rounds.close()
    },
  }
}

/** Runs one round, until nothing is left or `goOn`, called before each slice, returns false. */
export async function sweepConnections(
  ctx: Context,
  goOn: () => Promise<boolean> = async () => true,
): Promise<void> {
  const slices: ((db: Db, now: number) => Promise<number>)[] = [
    sweepEndedCredentials,
    (db, now) => deleteEndedRequests(db, now, rowsPerSlice),
    (db, now) => deleteEndedClients(db, now, rowsPerSlice),
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

async function repeat(goOn: () => Promise<boolean>, slice: () => Promise<number>): Promise<void> {
  for (let i = 0; i < slicesPerRound && (await goOn()); i++) if ((await slice()) === 0) return
}
