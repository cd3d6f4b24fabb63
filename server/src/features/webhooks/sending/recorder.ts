import { setTimeout as sleep } from 'node:timers/promises'
import { oneAtATime } from '../../../ground/lib/one-at-a-time.ts'
import { retryUntilDone } from '../../../ground/lib/retry-until-done.ts'
import { dayMs, minuteMs } from '../../../ground/lib/time.ts'
import { dialectOf } from '../../../store/dialect-of.ts'
import { inBackground, transact } from '../../../store/transact.ts'
import type { Context } from '../../../tenancy/context.ts'
import { type Lease, LeaseLost } from '../../../tenancy/leases/lease.ts'
import * as deliveries from '../deliveries.repo.ts'
import { disable } from './disable.ts'
import { lockPresent, moveCursors, setHealth } from './results.repo.ts'
import { hasRecovered, type Results, waitsForRecovery } from './results.ts'

/** Few, because on SQLite other writes wait for the transaction. */
const deliveriesPerTransaction = 50
/** Transactions begin between calls, but all that is gathered together waits at most this long for such moments. */
const giveWayMs = 500
/** Resolution of `last_success_at`. */
const successMs = minuteMs
const addedBetweenTrims = 200

/** Number of newest deliveries kept per endpoint, and for how long. */
export const deliveriesKept = 1_000
export const deliveriesKeptMs = 30 * dayMs

/** Stores results of many endpoints in one transaction. */
export type Recorder = {
  /** Resolves when stored. Rejects with {@link LeaseLost} if another process now sends. */
  store: (results: Results) => Promise<void>
}

type Waiting = { results: Results; resolve: () => void; reject: (error: unknown) => void }

/**
 * @param gatherMs results within this time are stored together: an endpoint's rows share pages of the database, so each
 * page is written less often
 * @param signal abandons results that cannot be stored because the database does not respond
 */
export function createRecorder(ctx: Context, lease: Lease, gatherMs: number, signal: AbortSignal): Recorder {
  const addedSinceTrim = new Map<string, number>()
  let waiting: Waiting[] = []

  const flush = oneAtATime(async () => {
    await sleep(gatherMs)
    const gathered = waiting.toSorted(byEndpoint)
    waiting = []
    const batches = batchesOf(gathered)
    for (const batch of batches) {
      await ctx.callQueue.untilQuiet(giveWayMs / batches.length)
      // Beside requests it would take three times as long, and calls would have to share the processors with both.
      await ctx.callQueue.asCall(() => storeBatch(batch))
    }
  })

  async function storeBatch(batch: readonly Waiting[]): Promise<void> {
    let lost: unknown
    const all = batch.map(({ results }) => results)
    const work = (inner: Context) => storeAll(inner, lease, all, addedSinceTrim)
    const store = () =>
      transact(ctx, inBackground, work).catch((error) => {
        if (!(error instanceof LeaseLost)) throw error
        lost = error
      })
    const log = (error: unknown) =>
      ctx.log.warn({ err: error }, 'Deliveries of webhooks cannot be stored; trying again')
    await retryUntilDone(store, signal, log)
    for (const { resolve, reject } of batch) {
      if (lost !== undefined || signal.aborted) reject(lost ?? signal.reason)
      else resolve()
    }
  }

  return {
    store: (results) =>
      new Promise((resolve, reject) => {
        waiting.push({ results, resolve, reject })
        void flush()
      }),
  }
}

const byEndpoint = ({ results: { target: a } }: Waiting, { results: { target: b } }: Waiting) =>
  a.accountId - b.accountId || (a.id < b.id ? -1 : Number(a.id > b.id))

function batchesOf(waiting: readonly Waiting[]): Waiting[][] {
  const batches: Waiting[][] = []
  let count = Number.POSITIVE_INFINITY
  for (const one of waiting) {
    count += one.results.added.length + one.results.tried.length
    if (count > deliveriesPerTransaction) {
      batches.push([])
      count = one.results.added.length + one.results.tried.length
    }
    batches.at(-1)!.push(one)
  }
  return batches
}

/** Runs in a transaction. */
async function storeAll(
  ctx: Context,
  lease: Lease,
  batch: readonly Results[],
  addedSinceTrim: Map<string, number>,
): Promise<void> {
  const { db, now } = ctx
  if (!(await lease.hold(db))) throw new LeaseLost()
  const present = await lockPresent(
    db,
    batch.map(({ target }) => target),
    now(),
  )
  const rows: Parameters<typeof moveCursors>[1][number][] = []
  const added: deliveries.DeliveryRow[] = []
  for (const { target, added: sent, cursors } of batch) {
    const found = present.get(target.id)
    if (found === undefined) continue
    for (const delivery of sent) added.push(deliveries.toRow(target, delivery))
    for (const [spaceId, seq] of cursors) {
      if (found.spaces !== null && !found.spaces.includes(spaceId)) continue
      rows.push({ account_id: target.accountId, webhook_id: target.id, space_id: spaceId, seq })
    }
  }
  if (added.length > 0) await dialectOf(db).insertRows(db, 'webhook_deliveries', added)
  await moveCursors(db, newestOf(rows))
  for (const results of batch) {
    const found = present.get(results.target.id)
    if (found !== undefined) await storeRest(ctx, results, found.status === 'disabled')
  }
  await trim(ctx, batch, addedSinceTrim)
}

/** A statement can change a row only once, but an endpoint may have several results. */
function newestOf<Row extends { webhook_id: string; space_id: number; seq: number }>(
  rows: readonly Row[],
): Row[] {
  const newest = new Map<string, Row>()
  for (const row of rows) {
    const key = `${row.webhook_id} ${row.space_id}`
    if ((newest.get(key)?.seq ?? 0) < row.seq) newest.set(key, row)
  }
  return [...newest.values()]
}

/** Stores rare results: retries, failures and their consequences. */
async function storeRest(ctx: Context, results: Results, isDisabled: boolean): Promise<void> {
  const { db } = ctx
  const { target, added, tried, succeededAt, failingSince, disable: reason } = results
  for (const { delivery, dueAt } of tried) await deliveries.updateDelivery(db, target, delivery, dueAt)
  const isStale = succeededAt !== null && succeededAt - (target.lastSuccessAt ?? 0) >= successMs
  if (isStale || failingSince !== target.failingSince) await setHealth(db, target, results)
  if (reason !== null && !isDisabled) await disable(ctx, target, reason)
  if (reason !== null || isDisabled) await deliveries.failWaiting(db, target)
  const recovered = hasRecovered(results)
  if (recovered) await bringForward(ctx, results)
  const isPending = added.some(({ nextAttemptAt }) => nextAttemptAt !== null)
  if (isPending || tried.length > 0 || reason !== null || recovered) await deliveries.renewRetryAt(db, target)
}

/** What waited for the endpoint to respond again is due now. */
async function bringForward({ db, now }: Context, { target }: Results): Promise<void> {
  const waiting = (await deliveries.listWaiting(db, target, now())).filter(waitsForRecovery)
  const ids = waiting.map(({ id }) => id)
  await deliveries.bringForward(db, target, ids, now())
}

async function trim(
  { db, now }: Pick<Context, 'db' | 'now'>,
  batch: readonly Results[],
  addedSinceTrim: Map<string, number>,
): Promise<void> {
  for (const { target, added } of batch) {
    const count = (addedSinceTrim.get(target.id) ?? 0) + added.length
    addedSinceTrim.set(target.id, count % addedBetweenTrims)
    if (count < addedBetweenTrims) continue
    await deliveries.trimDeliveries(db, target, { kept: deliveriesKept, since: now() - deliveriesKeptMs })
  }
}
