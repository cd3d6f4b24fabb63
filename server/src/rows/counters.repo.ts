import type { EntityTypeCount } from '@loci/contract/entities'
import { fixedColourOf, typeColourMax } from '@loci/contract/entity-types'
import type { TypeCount } from '@loci/contract/lists'
import { labelOfType } from '@loci/contract/lists'
import type { Db } from '../store/db.ts'
import { dialectOf } from '../store/dialect-of.ts'
import { prepared } from '../store/prepared.ts'
import { isIn } from '../tenancy/scope.repo.ts'
import type { Scope } from '../tenancy/scope.ts'

export type Counters = { entities: number; relations: number; observations: number; seq: number }

const selectCounters = prepared((db, values: Scope) =>
  db.selectFrom('spaces').select(['entities', 'relations', 'observations', 'seq']).where(isIn(values)),
)

/** Totals of a space and the number of its newest change. */
export async function getCounters(db: Db, scope: Scope): Promise<Counters> {
  const [counters] = await selectCounters(db, scope)
  return counters!
}

/** Number of the newest change, and of the newest news, in each space of these accounts. */
export async function listNewestChanges(db: Db, accountIds: readonly number[]) {
  return db
    .selectFrom('spaces')
    .select(['account_id as accountId', 'space_id as spaceId', 'seq', 'news'])
    .where(dialectOf(db).isOneOfNumbers('account_id', accountIds))
    .execute()
}

export type AccountUse = { plan: string; entities: number; bytes: number }

/**
 * Number of entities of the account in all its spaces, the bytes it stores, its plan, and when an agent
 * first called.
 */
export async function getAccountUse(db: Db, accountId: number): Promise<AccountUse> {
  return db
    .selectFrom('accounts')
    .select(['plan', 'entities', 'bytes'])
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
}

/**
 * The first of `count` consecutive numbers of an account, for data stored outside a graph write. A
 * graph write holds the account's numbers in memory: inside it, use its `takeIds`.
 */
export async function reserveIds(db: Db, accountId: number, count: number): Promise<number> {
  const { next } = await db
    .updateTable('accounts')
    .set((eb) => ({ next_id: eb('next_id', '+', count) }))
    .where('account_id', '=', accountId)
    .returning('next_id as next')
    .executeTakeFirstOrThrow()
  return next - count
}

/** Entities created per day, newest day first; days without any are left out. */
export async function listDailyCounts(db: Db, scope: Scope, limit: number) {
  return db
    .selectFrom('daily_counts')
    .select(['day as date', 'entities_created as count'])
    .where(isIn(scope))
    .where('entities_created', '>', 0)
    .orderBy('day', 'desc')
    .limit(limit)
    .execute()
}

/** Number of things created on a day. */
export async function getDailyCount(
  db: Db,
  scope: Scope,
  day: string,
): Promise<{ entities: number; relations: number; observations: number }> {
  const row = await db
    .selectFrom('daily_counts')
    .select([
      'entities_created as entities',
      'relations_created as relations',
      'observations_created as observations',
    ])
    .where(isIn(scope))
    .where('day', '=', day)
    .executeTakeFirst()
  return row ?? { entities: 0, relations: 0, observations: 0 }
}

const typesMax = 1_000

/** Types in use, most frequent first. */
export async function listTypeCounts(
  db: Db,
  scope: Scope,
  kind: 'entity' | 'relation',
): Promise<TypeCount[]> {
  const rows = await listTypeRows(db, scope, kind)
  return rows.map(({ type, count }) => ({ type, label: labelOfType(type), count }))
}

/** The same, with the colour of each type. */
export async function listEntityTypes(db: Db, scope: Scope): Promise<EntityTypeCount[]> {
  return (await listTypeRows(db, scope, 'entity')).map(toEntityType)
}

function listTypeRows(db: Db, scope: Scope, kind: 'entity' | 'relation'): Promise<TypeRow[]> {
  return db
    .selectFrom('type_counts')
    .select(['type', 'count', 'colour'])
    .where(isIn(scope))
    .where('kind', '=', kind)
    .where('count', '>', 0)
    .orderBy('count', 'desc')
    .orderBy('type')
    .limit(typesMax)
    .execute()
}

/** An entity type that is in use. */
export async function findEntityType(
  db: Db,
  scope: Scope,
  type: string,
): Promise<EntityTypeCount | undefined> {
  const row = await db
    .selectFrom('type_counts')
    .select(['type', 'count', 'colour'])
    .where(isIn(scope))
    .where('kind', '=', 'entity')
    .where('type', '=', type)
    .where('count', '>', 0)
    .executeTakeFirst()
  return row && toEntityType(row)
}

type TypeRow = { type: string; count: number; colour: number | null }

const toEntityType = ({ type, count, colour }: TypeRow): EntityTypeCount => ({
  type,
  label: labelOfType(type),
  count,
  colour: fixedColourOf(type) ?? colour ?? typeColourMax,
})

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
    .where(isIn(scope))
    .where('kind', '=', kind)
    .where('type', '>', page.after)
    .where('count', '>', 0)
    .orderBy('type')
    .limit(page.limit)
    .execute()
  return rows.map(({ type }) => type)
}

/** Number of things of these types. */
export async function countOfTypes(
  db: Db,
  scope: Scope,
  kind: 'entity' | 'relation',
  types: readonly string[],
): Promise<number> {
  const row = await db
    .selectFrom('type_counts')
    .select((eb) => eb.fn.sum<number | null>('count').as('total'))
    .where(isIn(scope))
    .where('kind', '=', kind)
    .where('type', 'in', types)
    .executeTakeFirst()
  return Number(row?.total ?? 0)
}
