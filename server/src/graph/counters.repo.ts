import type { TypeCount } from '@loci/contract/lists'
import { labelOfType } from '@loci/contract/lists'
import { sql } from 'kysely'
import type { Scope } from '../auth/actor.ts'
import type { Db } from '../db/db.ts'
import type { Dialect } from '../db/dialect.ts'
import { prepared } from '../db/prepared.ts'

export type Counters = { entities: number; relations: number; observations: number; seq: number }

type OfAccount = { accountId: string }
const selectLocked = prepared((db, values: OfAccount, dialect: Dialect) =>
  db
    .selectFrom('account_counters')
    .select('entities')
    .where('account_id', '=', values.accountId)
    .modifyEnd(dialect.forUpdate),
)
const selectPlan = prepared((db, values: OfAccount) =>
  db.selectFrom('accounts').select('plan').where('id', '=', values.accountId),
)

/** Locks the account for writing and tells its plan and how many entities it has in all spaces. */
export async function lockAccount(
  db: Db,
  dialect: Dialect,
  accountId: string,
): Promise<{ plan: string; entities: number }> {
  const [counters] = await selectLocked(db, { accountId }, dialect)
  const [account] = await selectPlan(db, { accountId })
  return { plan: account!.plan, entities: counters!.entities }
}

const selectCounters = prepared((db, values: Scope) =>
  db
    .selectFrom('space_counters')
    .select(['entities', 'relations', 'observations', 'seq'])
    .where('account_id', '=', values.accountId)
    .where('space_id', '=', values.spaceId),
)

/** Totals of a space and the number of its newest change. */
export async function getCounters(db: Db, scope: Scope): Promise<Counters> {
  const [counters] = await selectCounters(db, scope)
  return counters!
}

/** Number of the newest change of each space of these accounts. */
export async function listNewestChanges(
  db: Db,
  dialect: Dialect,
  accountIds: readonly string[],
): Promise<(Scope & { seq: number })[]> {
  return db
    .selectFrom('space_counters')
    .select(['account_id as accountId', 'space_id as spaceId', 'seq'])
    .where(dialect.isOneOf('account_id', accountIds))
    .execute()
}

export type AccountUse = { plan: string; entities: number; agentSeenAt: number | null }

/** Entities of the account in all its spaces, its plan, and when an agent first called. */
export async function getAccountUse(db: Db, accountId: string): Promise<AccountUse> {
  return db
    .selectFrom('accounts')
    .innerJoin('account_counters', 'account_counters.account_id', 'accounts.id')
    .select(['accounts.plan', 'accounts.agent_seen_at as agentSeenAt', 'account_counters.entities'])
    .where('accounts.id', '=', accountId)
    .executeTakeFirstOrThrow()
}

const updateSpace = prepared((db, values: Scope & Counters) =>
  db
    .updateTable('space_counters')
    .set((eb) => ({
      entities: eb('entities', '+', values.entities),
      relations: eb('relations', '+', values.relations),
      observations: eb('observations', '+', values.observations),
      seq: eb('seq', '+', values.seq),
    }))
    .where('account_id', '=', values.accountId)
    .where('space_id', '=', values.spaceId)
    .returning('seq'),
)
const updateAccount = prepared((db, values: OfAccount & { entities: number }) =>
  db
    .updateTable('account_counters')
    .set((eb) => ({ entities: eb('entities', '+', values.entities) }))
    .where('account_id', '=', values.accountId),
)

/** Answers the number of the newest change, with those that `delta` counts. */
export async function addToCounters(db: Db, scope: Scope, delta: Counters): Promise<number> {
  const [counters] = await updateSpace(db, { ...scope, ...delta })
  if (delta.entities !== 0) await updateAccount(db, { ...scope, entities: delta.entities })
  return counters!.seq
}

type TypeDelta = { kind: 'entity' | 'relation'; type: string; count: number }
const upsertTypeCount = prepared((db, values: Scope & TypeDelta) =>
  db
    .insertInto('type_counts')
    .values({
      account_id: values.accountId,
      space_id: values.spaceId,
      kind: values.kind,
      type: values.type,
      count: values.count,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'space_id', 'kind', 'type'])
        .doUpdateSet({ count: sql<number>`type_counts.count + excluded.count` }),
    ),
)

export async function addToTypeCount(db: Db, scope: Scope, delta: TypeDelta): Promise<void> {
  await upsertTypeCount(db, { ...scope, ...delta })
}

type DayDelta = { day: string; entitiesCreated: number }
const upsertDay = prepared((db, values: Scope & DayDelta) =>
  db
    .insertInto('daily_counts')
    .values({
      account_id: values.accountId,
      space_id: values.spaceId,
      day: values.day,
      entities_created: values.entitiesCreated,
    })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'space_id', 'day']).doUpdateSet({
        entities_created: sql<number>`daily_counts.entities_created + excluded.entities_created`,
      }),
    ),
)

export async function addToDailyCount(db: Db, scope: Scope, delta: DayDelta): Promise<void> {
  await upsertDay(db, { ...scope, ...delta })
}

/** Entities created a day, newest day first; only days with any. */
export async function listDailyCounts(
  db: Db,
  scope: Scope,
  limit: number,
): Promise<{ date: string; count: number }[]> {
  return db
    .selectFrom('daily_counts')
    .select(['day as date', 'entities_created as count'])
    .where('account_id', '=', scope.accountId)
    .where('space_id', '=', scope.spaceId)
    .where('entities_created', '>', 0)
    .orderBy('day', 'desc')
    .limit(limit)
    .execute()
}

const typesMax = 1_000

/** Types in use, most frequent first. */
export async function listTypeCounts(
  db: Db,
  scope: Scope,
  kind: 'entity' | 'relation',
): Promise<TypeCount[]> {
  const rows = await db
    .selectFrom('type_counts')
    .select(['type', 'count'])
    .where('account_id', '=', scope.accountId)
    .where('space_id', '=', scope.spaceId)
    .where('kind', '=', kind)
    .where('count', '>', 0)
    .orderBy('count', 'desc')
    .orderBy('type')
    .limit(typesMax)
    .execute()
  return rows.map(({ type, count }) => ({ type, label: labelOfType(type), count }))
}

/** Types in use after `after`, in order. */
export async function listTypesInOrder(
  db: Db,
  scope: Scope,
  kind: 'entity' | 'relation',
  page: { after: string; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('type_counts')
    .select('type')
    .where('account_id', '=', scope.accountId)
    .where('space_id', '=', scope.spaceId)
    .where('kind', '=', kind)
    .where('type', '>', page.after)
    .where('count', '>', 0)
    .orderBy('type')
    .limit(page.limit)
    .execute()
  return rows.map(({ type }) => type)
}

/** How many things of these types there are. */
export async function countOfTypes(
  db: Db,
  scope: Scope,
  kind: 'entity' | 'relation',
  types: string[],
): Promise<number> {
  const row = await db
    .selectFrom('type_counts')
    .select((eb) => eb.fn.sum<number | null>('count').as('total'))
    .where('account_id', '=', scope.accountId)
    .where('space_id', '=', scope.spaceId)
    .where('kind', '=', kind)
    .where('type', 'in', types)
    .executeTakeFirst()
  return Number(row?.total ?? 0)
}
