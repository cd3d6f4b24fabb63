import { sweepEndedCredentials } from '../../auth/sweep-credentials.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/db.ts'
import { transact } from '../../db/transact.ts'
import { createRounds, type Rounds } from '../../lib/rounds.ts'
import { hourMs } from '../../lib/time.ts'
import { listEndedConnections } from './connections.repo.ts'
import { endConnection } from './end-connection.ts'
import { deleteEndedClients } from './oauth/clients.repo.ts'
import { deleteEndedRequests } from './oauth/requests.repo.ts'

const rowsPerSlice = 200
/** What is left after this many waits for the next round. */
const slicesPerRound = 500

/** Deletes expired requests, tokens, connections without tokens, and clients that nobody connected. */
export function createConnectionSweep(ctx: Context): Rounds {
  let isClosed = false
  const rounds = createRounds(
    hourMs,
    () => sweepConnections(ctx, () => isClosed),
    (error) => ctx.log.error({ err: error }, 'expired data of connected apps could not be deleted'),
  )
  return {
    start: rounds.start,
    close() {
      isClosed = true
      return rounds.close()
    },
  }
}

/** Runs one round, until nothing is left or `mustStop` returns true. */
export async function sweepConnections(ctx: Context, mustStop: () => boolean = () => false): Promise<void> {
  const slices: ((db: Db, now: number) => Promise<number>)[] = [
    sweepEndedCredentials,
    (db, now) => deleteEndedRequests(db, now, rowsPerSlice),
    (db, now) => deleteEndedClients(db, now, rowsPerSlice),
  ]
  for (const slice of slices) {
    await repeat(mustStop, () => transact(ctx, ({ db, now }) => slice(db, now())))
  }
  await repeat(mustStop, async () => {
    const ended = await listEndedConnections(ctx.db, ctx.now(), rowsPerSlice)
    for (const { accountId, id } of ended) await endConnection(ctx, accountId, id)
    return ended.length
  })
}

async function repeat(mustStop: () => boolean, slice: () => Promise<number>): Promise<void> {
  for (let i = 0; i < slicesPerRound && !mustStop(); i++) if ((await slice()) === 0) return
}
