import type { ChangeActor } from '@loci/contract/changes'
import { limitsOfPlan, unlimited } from '@loci/contract/plans'
import type { Actor, Scope } from '../auth/actor.ts'
import { toChangeActor } from '../auth/actor.ts'
import { appendChanges, type NewChange } from '../changes/changes.repo.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/db.ts'
import { transact } from '../db/transact.ts'
import { AppError } from '../errors.ts'
import { dayOf } from '../lib/time.ts'
import { addToCounters, addToDailyCount, addToTypeCount, lockAccount } from './counters.repo.ts'

/** A write of the graph under way: what it changed is told to `record`, which keeps counters and change log true. */
export type GraphWrite = {
  /** The context of the transaction. */
  ctx: Context
  db: Db
  scope: Scope
  /** Time of the write, milliseconds. */
  at: number
  /** How many more entities the plan allows; may be infinite. */
  room: number
  /** Appends to the change log, and counts. `type` is the subject's own type, before and after. */
  record: (change: NewChange, types?: { before?: string; after?: string }) => void
}

/**
 * The one way to change a graph. In one transaction it locks the account, runs `work`, refuses what exceeds the plan,
 * moves the counters and appends the changes that `work` recorded, numbered without a gap.
 * Throws `plan_limit_reached`, and whatever `work` throws; then nothing happened.
 */
export async function writeGraph<T>(
  ctx: Context,
  actor: Actor,
  work: (write: GraphWrite) => Promise<T>,
): Promise<T> {
  const run = async (inner: Context): Promise<T> => {
    const { db } = inner
    const scope: Scope = { accountId: actor.accountId, spaceId: actor.spaceId }
    const account = await lockAccount(db, inner.dialect, scope.accountId)
    const changes: NewChange[] = []
    const typeDeltas = new Map<string, number>()
    const addType = (kind: string, type: string | undefined, delta: number) => {
      if (type === undefined) return
      const key = `${kind}\n${type}`
      typeDeltas.set(key, (typeDeltas.get(key) ?? 0) + delta)
    }
    const write: GraphWrite = {
      ctx: inner,
      db,
      scope,
      at: inner.now(),
      room: roomOf(account),
      record(change, types = {}) {
        changes.push(change)
        const kind = change.operation.startsWith('relation') ? 'relation' : 'entity'
        addType(kind, types.before, -1)
        addType(kind, types.after, 1)
      },
    }
    const result = await work(write)
    await settle(write, changes, typeDeltas, account, toChangeActor(actor))
    return result
  }
  return transact(ctx, run, actor.accountId)
}

async function settle(
  write: GraphWrite,
  changes: NewChange[],
  typeDeltas: Map<string, number>,
  account: { plan: string; entities: number },
  actor: ChangeActor,
): Promise<void> {
  if (changes.length === 0) return
  const { ctx, db, scope, at } = write
  const countOf = (operation: string) => changes.filter((change) => change.operation === operation).length
  const created = countOf('entity_created')
  const entities = created - countOf('entity_deleted')
  if (entities > write.room) throw planLimitReached(account)
  const newest = await addToCounters(db, scope, {
    entities,
    relations: countOf('relation_created') - countOf('relation_deleted'),
    observations: countOf('observation_added') - countOf('observation_deleted'),
    seq: changes.length,
  })
  await appendChanges(db, ctx.dialect, scope, changes, { seq: newest - changes.length, at, actor })
  for (const [key, delta] of typeDeltas) {
    const kind = key.startsWith('entity') ? 'entity' : 'relation'
    if (delta !== 0) await addToTypeCount(db, scope, { kind, type: key.slice(kind.length + 1), count: delta })
  }
  ctx.changes.announce(scope)
  if (created > 0) await addToDailyCount(db, scope, { day: dayOf(ctx.now()), entitiesCreated: created })
}

function roomOf({ plan, entities }: { plan: string; entities: number }): number {
  const { maxEntities } = limitsOfPlan(plan)
  return maxEntities === unlimited ? Number.POSITIVE_INFINITY : Math.max(0, maxEntities - entities)
}

function planLimitReached({ plan, entities }: { plan: string; entities: number }): AppError {
  const limit = limitsOfPlan(plan).maxEntities
  const message = `Your plan allows ${limit.toLocaleString('en-US')} entities. Upgrade to store more.`
  return new AppError('plan_limit_reached', message, { details: [{ limit, used: entities, plan }] })
}
