import type { GraphEntity, GraphRelation } from '@loci/contract/graph'
import { type SqlBool, sql } from 'kysely'
import { numbersOf, toId } from '../ground/lib/ids.ts'
import { toIso } from '../ground/lib/time.ts'
import type { Db } from '../store/db.ts'
import { dialectOf } from '../store/dialect-of.ts'
import { isIn } from '../tenancy/scope.repo.ts'
import type { Scope } from '../tenancy/scope.ts'

/** An edge, seen from the entity that the traversal came from. */
export type TraversedEdge = { from: string; to: string }

/** Edges from some entities; `isCut` if there can be more. */
export type EdgesFound = { edges: TraversedEdge[]; isCut: boolean }

type Step = { from: number; to: number }

/** In order of their ends: databases return them in the order of whatever index they used. */
export const toEdges = (steps: readonly Step[]): TraversedEdge[] =>
  steps
    .toSorted((a, b) => a.from - b.from || a.to - b.to)
    .map(({ from, to }) => ({ from: toId('ent', from), to: toId('ent', to) }))

/** At most `limit` steps from the entities in each direction of relations. */
export async function listSteps(
  db: Db,
  scope: Scope,
  entityIds: readonly string[],
  limit: number,
): Promise<EdgesFound> {
  const numbers = numbersOf('ent', entityIds)
  const along = (here: 'from_id' | 'to_id', there: 'from_id' | 'to_id') =>
    db
      .selectFrom('relations')
      .select([`${here} as from`, `${there} as to`])
      .where(isIn(scope))
      .where(dialectOf(db).isOneOfNumbers(here, numbers))
      .limit(limit)
      .execute()
  const [out, back] = [await along('from_id', 'to_id'), await along('to_id', 'from_id')]
  return {
    edges: [...toEdges(out), ...toEdges(back)],
    isCut: out.length === limit || back.length === limit,
  }
}

/** Number of relation ends at these entities. */
export async function sumDegrees(db: Db, scope: Scope, entityIds: readonly string[]): Promise<number> {
  const { sum } = await db
    .selectFrom('entities')
    .select(sql<number>`coalesce(sum(degree), 0)`.as('sum'))
    .where(isIn(scope))
    .where(dialectOf(db).isOneOfNumbers('id', numbersOf('ent', entityIds)))
    .executeTakeFirstOrThrow()
  return Number(sum)
}

const entitiesOf = (db: Db, scope: Scope) =>
  db
    .selectFrom('entities')
    .select(['id', 'name', 'type', 'observations_count', 'created_at', 'updated_at'])
    .where(isIn(scope))

type EntityRow = Awaited<ReturnType<ReturnType<typeof entitiesOf>['execute']>>[number]

const toGraphEntity = (row: EntityRow): GraphEntity => ({
  id: toId('ent', row.id),
  name: row.name,
  type: row.type,
  observationsCount: row.observations_count,
  createdAt: toIso(row.created_at),
  updatedAt: toIso(row.updated_at),
})

/** In the order of the ids; missing entities are left out. */
export async function findGraphEntities(
  db: Db,
  scope: Scope,
  ids: readonly string[],
): Promise<GraphEntity[]> {
  const numbers = numbersOf('ent', ids)
  if (numbers.length === 0) return []
  const rows = await entitiesOf(db, scope).where(dialectOf(db).isOneOfNumbers('id', numbers)).execute()
  const byNumber = new Map(rows.map((row) => [row.id, row]))
  return numbers.flatMap((number) => {
    const row = byNumber.get(number)
    return row === undefined ? [] : [toGraphEntity(row)]
  })
}

/** In order of insertion, after the number `after`. */
export async function listGraphEntities(db: Db, scope: Scope, page: Page): Promise<GraphEntity[]> {
  const { after, limit } = page
  const rows = await entitiesOf(db, scope).where('id', '>', after).orderBy('id').limit(limit).execute()
  return rows.map(toGraphEntity)
}

type Page = { after: number; limit: number }

const relationsOf = (db: Db, scope: Scope) =>
  db.selectFrom('relations').select(['id', 'from_id', 'to_id', 'type', 'created_at']).where(isIn(scope))

type RelationRow = Awaited<ReturnType<ReturnType<typeof relationsOf>['execute']>>[number]

export const toGraphRelation = (row: RelationRow): GraphRelation => ({
  id: toId('rel', row.id),
  fromEntityId: toId('ent', row.from_id),
  toEntityId: toId('ent', row.to_id),
  relationType: row.type,
  createdAt: toIso(row.created_at),
})

type Among = { ids: readonly string[]; sources?: readonly string[]; limit: number }

/** Relations with both ends among the entities by number, at most `limit`; only those from `sources`, if given. */
export async function listRelationsAmong(
  db: Db,
  scope: Scope,
  { ids, sources = ids, limit }: Among,
): Promise<GraphRelation[]> {
  const [ends, from] = [numbersOf('ent', ids), numbersOf('ent', sources)]
  const hubs = await findHubs(db, scope, from, ends.length)
  const others = hubs.length === 0 ? from : from.filter((id) => !hubs.includes(id))
  const rows = await listPairs(db, scope, { from: hubs, to: ends, limit })
  if (others.length > 0) rows.push(...(await listFrom(db, scope, { from: others, to: ends, limit })))
  return rows
    .sort((a, b) => a.id - b.id)
    .slice(0, limit)
    .map(toGraphRelation)
}

/** A hub has many times as many relations as there are entities that they could lead to. */
const relationsPerEnd = 4
const pairsMax = 20_000

/** The entities that it is faster to pair with `ends` others than to read all their relations. */
async function findHubs(db: Db, scope: Scope, ids: readonly number[], ends: number): Promise<number[]> {
  const most = Math.floor(pairsMax / ends)
  if (ids.length === 0 || most === 0) return []
  const rows = await db
    .selectFrom('entities')
    .select('id')
    .where(isIn(scope))
    .where(dialectOf(db).isOneOfNumbers('id', ids))
    .where(sql<SqlBool>`degree + 0 > ${ends * relationsPerEnd}`)
    .limit(most)
    .execute()
  return rows.map(({ id }) => id)
}

type Ends = { from: readonly number[]; to: readonly number[]; limit: number }

/** One index lookup per pair. */
async function listPairs(
  db: Db,
  { accountId, spaceId }: Scope,
  { from, to, limit }: Ends,
): Promise<RelationRow[]> {
  if (from.length === 0) return []
  const dialect = dialectOf(db)
  const rowsOf = (alias: string, ids: readonly number[]) =>
    dialect.rowsOf(
      alias,
      ids.map((number) => ({ number })),
    )
  const condition = sql`found.account_id = ${accountId} and found.space_id = ${spaceId}
    and found.from_id = source.number and found.to_id = target.number`
  const { rows } = await sql<RelationRow>`
    select found.id, found.from_id, found.to_id, found.type, found.created_at
    from ${rowsOf('source', from)} cross join ${rowsOf('target', to)}
      ${dialect.lookUp('relations', 'found', condition)} limit ${limit}`.execute(db)
  return rows
}

/** Reads all relations of the sources. */
async function listFrom(db: Db, scope: Scope, { from, to, limit }: Ends): Promise<RelationRow[]> {
  const dialect = dialectOf(db)
  // Adding 0 keeps the second list out of the index lookup: one lookup per source, not per pair.
  return relationsOf(db, scope)
    .where(dialect.isOneOfNumbers('from_id', from))
    .where(dialect.isOneOfNumbers(sql`to_id + 0`, to))
    .limit(limit)
    .execute()
}

/** In order of insertion, after the number `after`. */
export async function listGraphRelations(db: Db, scope: Scope, page: Page): Promise<GraphRelation[]> {
  const { after, limit } = page
  const rows = await relationsOf(db, scope).where('id', '>', after).orderBy('id').limit(limit).execute()
  return rows.map(toGraphRelation)
}
