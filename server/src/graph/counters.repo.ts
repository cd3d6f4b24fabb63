import type { TypeCount } from '@loci/contract/lists'
import { labelOfType } from '@loci/contract/lists'
import { sql } from 'kysely'
import type { Scope } from '../auth/actor.ts'
import type { Db, Dialect } from '../db/dialect.ts'

export type Counters = { entities: number; relations: number; observations: number; seq: number }

/** Locks the account for writing and tells its plan and how many entities it has in all spaces. */
export async function lockAccount(
  db: Db,
  dialect: Dialect,
  accountId: string,
): Promise<{ plan: string; entities: number }> {
  const row = await db
    .selectFrom('account_counters')
    .select('entities')
    .where('account_id', '=', accountId)
    .modifyEnd(dialect.forUpdate)
    .executeTakeFirstOrThrow()
  const account = await db
    .selectFrom('accounts')
    .select('plan')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  return { plan: account.plan, entities: row.entities }
}

/** Totals of a space and the number of its newest change. */
export async function getCounters(db: Db, scope: Scope): Promise<Counters> {
  return db
    .selectFrom('space_counters')
    .select(['entities', 'relations', 'observations', 'seq'])
    .where('account_id', '=', scope.accountId)
    .where('space_id', '=', scope.spaceId)
    .executeTakeFirstOrThrow()
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

/** Entities of the account in all its spaces, and its plan. */
export async function getAccountUse(db: Db, accountId: string): Promise<{ plan: string; entities: number }> {
  return db
    .selectFrom('accounts')
    .innerJoin('account_counters', 'account_counters.account_id', 'accounts.id')
    .select(['accounts.plan', 'account_counters.entities'])
    .where('accounts.id', '=', accountId)
    .executeTakeFirstOrThrow()
}

export async function addToCounters(db: Db, scope: Scope, delta: Counters): Promise<void> {
  await db
    .updateTable('space_counters')
    .set((eb) => ({
      entities: eb('entities', '+', delta.entities),
      relations: eb('relations', '+', delta.relations),
      observations: eb('observations', '+', delta.observations),
      seq: eb('seq', '+', delta.seq),
    }))
    .where('account_id', '=', scope.accountId)
    .where('space_id', '=', scope.spaceId)
    .execute()
  if (delta.entities === 0) return
  await db
    .updateTable('account_counters')
    .set((eb) => ({ entities: eb('entities', '+', delta.entities) }))
    .where('account_id', '=', scope.accountId)
    .execute()
}

export async function addToTypeCount(
  db: Db,
  scope: Scope,
  kind: 'entity' | 'relation',
  type: string,
  delta: number,
): Promise<void> {
  await db
    .insertInto('type_counts')
    .values({ account_id: scope.accountId, space_id: scope.spaceId, kind, type, count: delta })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'space_id', 'kind', 'type'])
        .doUpdateSet({ count: sql<number>`type_counts.count + excluded.count` }),
    )
    .execute()
}

export async function addToDailyCount(
  db: Db,
  scope: Scope,
  day: string,
  entitiesCreated: number,
): Promise<void> {
  await db
    .insertInto('daily_counts')
    .values({ account_id: scope.accountId, space_id: scope.spaceId, day, entities_created: entitiesCreated })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'space_id', 'day']).doUpdateSet({
        entities_created: sql<number>`daily_counts.entities_created + excluded.entities_created`,
      }),
    )
    .execute()
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
