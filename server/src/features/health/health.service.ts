import {
  type HealthReport,
  healthKinds,
  type MemoryHealth,
  type MemoryHealthQuery,
} from '@loci/contract/health'
import { AppError } from '../../ground/errors/app-error.ts'
import { toRankedPage } from '../../ground/lib/ranked-pages.ts'
import { getCounters } from '../../rows/counters.repo.ts'
import { transact } from '../../store/transact.ts'
import { lockAccount } from '../../tenancy/auth/accounts.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { checkMemory } from './check-memory.ts'
import * as repo from './health.repo.ts'
import { openSpaceSource } from './space-source.ts'

const none = Object.fromEntries(healthKinds.map((kind) => [kind, 0])) as MemoryHealth['counts']

/** What the last check of a space found, without what somebody left as it is. Throws `invalid_cursor`. */
export async function getMemoryHealth(
  ctx: Context,
  actor: Actor,
  { kind, ...page }: MemoryHealthQuery,
): Promise<MemoryHealth> {
  const { report, running } = await getReport(ctx, actor)
  const countsTold = (await repo.findCountingOfTold(ctx.db, actor)) !== undefined
  const progress = running === undefined ? {} : { running: { checked: running.checked, of: running.of } }
  if (report === undefined) {
    const checked = { entities: 0, observations: 0 }
    return { checkedAt: null, checked, items: [], counts: none, ...progress, countsTold, nextCursor: null }
  }
  const dismissed = await repo.listDismissedItems(
    ctx.db,
    actor,
    report.items.map(({ id }) => id),
  )
  const counts = { ...report.counts }
  for (const item of report.items) if (dismissed.has(item.id)) counts[item.kind] = counts[item.kind]! - 1
  const left = report.items.filter((item) => !dismissed.has(item.id) && (kind ?? item.kind) === item.kind)
  const { rows, nextCursor } = toRankedPage('health', left, page)
  return { ...report, items: rows, counts, ...progress, countsTold, nextCursor }
}

/** Leaves an item as it is. Throws `validation_failed` for an id that is none. */
export async function dismissHealthItem(ctx: Context, actor: Actor, id: string): Promise<void> {
  if (!/^hlt_[0-9a-f]{20}$/.test(id)) throw new AppError('validation_failed', 'This is not the id of an item')
  await transact(ctx, actor.accountId, async (inner) => {
    await lockAccount(inner.db, actor.accountId)
    await repo.putDismissedItem(inner.db, actor, id, inner.now())
  })
}

/** Lists an item again. */
export async function undismissHealthItem(ctx: Context, actor: Actor, id: string): Promise<void> {
  await transact(ctx, actor.accountId, async (inner) => {
    await lockAccount(inner.db, actor.accountId)
    await repo.deleteDismissedItem(inner.db, actor, id)
  })
}

/** A space's last report, and the check that runs. */
type Known = {
  seq: number
  report?: HealthReport
  running?: { checked: number; of: number; end: Promise<void> }
}

const spacesMax = 100
/** Up to this many observations, a space is checked again after every change. */
const quickMax = 5_000
/**
 * In larger spaces, the minimum time between two checks, per observation. A check takes some 100 microseconds for each,
 * so it runs at most 3 % of the time.
 */
const restMsPerObservation = 3
/** What a caller waits for a check to end. */
const waitMs = 3_000
/** What expires meanwhile. */
const agesAfterMs = 3_600_000

/** Keyed by the process's configuration, so each database has its own. */
const knownBy = new WeakMap<Context['config'], Map<string, Known>>()

/** The last report on a space; starts another check if it is out of date, and waits for it for a moment. */
async function getReport(ctx: Context, actor: Actor): Promise<Pick<Known, 'report' | 'running'>> {
  const all = knownBy.get(ctx.config) ?? new Map<string, Known>()
  knownBy.set(ctx.config, all)
  const key = `${actor.accountId} ${actor.spaceId}`
  const known = all.get(key) ?? { seq: -1 }
  all.delete(key)
  all.set(key, known)
  if (all.size > spacesMax) all.delete(all.keys().next().value!)
  const { seq, observations } = await getCounters(ctx.db, actor)
  if (known.running === undefined && isStale(known, { seq, observations, now: ctx.now() })) {
    const running = { checked: 0, of: observations, end: Promise.resolve() }
    running.end = check(ctx, actor, known, seq, running)
    known.running = running
  }
  if (known.running !== undefined) await orAfter(known.running.end, waitMs)
  return known
}

function isStale(
  { seq, report }: Known,
  { seq: newest, observations, now }: { seq: number; observations: number; now: number },
): boolean {
  if (report === undefined) return true
  const age = now - Date.parse(report.checkedAt)
  if (seq === newest) return age >= agesAfterMs
  return observations <= quickMax || age >= observations * restMsPerObservation
}

async function check(
  ctx: Context,
  actor: Actor,
  known: Known,
  seq: number,
  progress: { checked: number },
): Promise<void> {
  try {
    const source = await openSpaceSource(ctx, actor)
    const onProgress = (checked: number) => {
      progress.checked = checked
    }
    known.report = await checkMemory(source, { now: ctx.now(), onProgress })
    known.seq = seq
  } finally {
    delete known.running
  }
}

/** An error of the work reaches the caller that waits for it. */
async function orAfter(work: Promise<void>, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  try {
    await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
    work.catch(() => {})
  }
}
