import { numberOf, toId } from '../../ground/lib/ids.ts'
import { aliasesOf } from '../../rows/aliases.repo.ts'
import { toStoredObservation } from '../../rows/codec.ts'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { prepared } from '../../store/prepared.ts'
import type { ObservationsTable } from '../../store/schema.ts'
import { isIn } from '../../tenancy/scope.repo.ts'
import type { Scope } from '../../tenancy/scope.ts'
import type { HealthEntity, HealthFact } from './health-source.ts'

type Page = { after: number; limit: number }

const entitiesOf = (db: Db, scope: Scope) =>
  db
    .selectFrom('entities')
    .select(['id', 'name', 'type', 'aliases', 'degree', 'observations_count'])
    .where(isIn(scope))
const observationsOf = (db: Db, scope: Scope) => db.selectFrom('observations').selectAll().where(isIn(scope))

const selectEntities = prepared((db, values: Scope & Page) =>
  entitiesOf(db, values).where('id', '>', values.after).orderBy('id').limit(values.limit),
)
const selectEntitiesById = prepared((db, values: Scope & { numbers: readonly number[] }) =>
  entitiesOf(db, values).where(dialectOf(db).isOneOfNumbers('id', values.numbers)),
)
const selectObservations = prepared((db, values: Scope & Page) =>
  observationsOf(db, values)
    .select((eb) =>
      eb
        .selectFrom('told_facts')
        .select('times')
        .where('told_facts.account_id', '=', values.accountId)
        .where('told_facts.space_id', '=', values.spaceId)
        .whereRef('told_facts.observation_id', '=', 'observations.id')
        .as('told'),
    )
    .where('id', '>', values.after)
    .orderBy('id')
    .limit(values.limit),
)
const selectObservationsById = prepared((db, values: Scope & { numbers: readonly number[] }) =>
  observationsOf(db, values).where(dialectOf(db).isOneOfNumbers('id', values.numbers)),
)

/** Entities in order of insertion, after the number `after`. */
export async function listEntitiesToCheck(
  db: Db,
  { accountId, spaceId }: Scope,
  { after, limit }: Page,
): Promise<HealthEntity[]> {
  return (await selectEntities(db, { accountId, spaceId, after, limit })).map(toEntity)
}

export async function findEntitiesToCheck(
  db: Db,
  { accountId, spaceId }: Scope,
  numbers: readonly number[],
): Promise<HealthEntity[]> {
  return numbers.length === 0
    ? []
    : (await selectEntitiesById(db, { accountId, spaceId, numbers })).map(toEntity)
}

/** Observations in order of insertion, after the number `after`. */
export async function listFactsToCheck(
  db: Db,
  { accountId, spaceId }: Scope,
  { after, limit }: Page,
): Promise<HealthFact[]> {
  const rows = await selectObservations(db, { accountId, spaceId, after, limit })
  return rows.map((row) => ({ ...toFact(row), isTold: row.told !== null }))
}

export async function findFactsToCheck(
  db: Db,
  { accountId, spaceId }: Scope,
  numbers: readonly number[],
): Promise<HealthFact[]> {
  return numbers.length === 0
    ? []
    : (await selectObservationsById(db, { accountId, spaceId, numbers })).map(toFact)
}

type EntityRow = Awaited<ReturnType<ReturnType<typeof entitiesOf>['executeTakeFirstOrThrow']>>

const toEntity = ({ id, name, type, aliases, degree, observations_count }: EntityRow): HealthEntity => ({
  number: id,
  id: toId('ent', id),
  name,
  type,
  aliases: aliasesOf(aliases),
  relations: degree,
  observations: observations_count,
})

function toFact(row: ObservationsTable): HealthFact {
  const { id, entityId, content, createdAt, at, expiresAt, replaces, replacedBy, stale } =
    toStoredObservation(row)
  const fact: HealthFact = { number: row.id, id, entity: numberOf('ent', entityId), content, createdAt }
  if (at !== undefined) fact.at = at
  if (expiresAt !== undefined) fact.expiresAt = expiresAt
  if (replaces !== undefined) fact.replaces = replaces
  if (replacedBy !== undefined) fact.isReplaced = true
  if (stale !== undefined) fact.stale = stale
  return fact
}

/** Since when it is counted which facts are told; undefined if it is not, `isAny` if one was. */
export async function findCountingOfTold(
  db: Db,
  scope: Scope,
): Promise<{ since: number; isAny: boolean } | undefined> {
  const row = await db
    .selectFrom('spaces')
    .select('counts_told_since as since')
    .where(isIn(scope))
    .executeTakeFirst()
  if (row === undefined || row.since === null) return undefined
  const told = await db
    .selectFrom('told_facts')
    .select('times')
    .where(isIn(scope))
    .limit(1)
    .executeTakeFirst()
  return { since: row.since, isAny: told !== undefined }
}

/** Those of these items that somebody left as they are. */
export async function listDismissedItems(db: Db, scope: Scope, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('dismissed_health')
    .select('item_id')
    .where(isIn(scope))
    .where(dialectOf(db).isOneOf('item_id', ids))
    .execute()
  return new Set(rows.map(({ item_id }) => item_id))
}

export async function putDismissedItem(
  db: Db,
  { accountId, spaceId }: Scope,
  id: string,
  at: number,
): Promise<void> {
  await db
    .insertInto('dismissed_health')
    .values({ account_id: accountId, space_id: spaceId, item_id: id, dismissed_at: at })
    .onConflict((conflict) => conflict.columns(['account_id', 'space_id', 'item_id']).doNothing())
    .execute()
}

export async function deleteDismissedItem(db: Db, scope: Scope, id: string): Promise<void> {
  await db.deleteFrom('dismissed_health').where(isIn(scope)).where('item_id', '=', id).execute()
}
