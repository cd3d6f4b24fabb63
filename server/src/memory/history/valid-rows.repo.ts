import { setImmediate as nextTask } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { chunksOf } from '../../ground/lib/chunks.ts'
import type { Cursor } from '../../ground/lib/cursors.ts'
import { pastTables, type VersionedTable, type Versions } from '../../rows/columns.ts'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { findVersionsAt, keyOfMoment, versionColumns } from '../versions/versions.repo.ts'

/** Rows valid after the change `seq`: current ones that had begun, and past ones that had not ended. */
const heldIn = (isPast: boolean, seq: number): RawBuilder<unknown> =>
  isPast ? sql`since <= ${seq} and until > ${seq}` : sql`since <= ${seq}`

const inScope = ({ accountId, spaceId }: Scope) => sql`account_id = ${accountId} and space_id = ${spaceId}`

/** Identifies a valid row and its type; without texts, so that many can be scanned. */
export type HeldKey = {
  id: number
  created_at: number
  since: number
  until: number | null
  type: string
  from_id: number | null
  to_id: number | null
}

/** Newest first, or in order of number. */
export type HeldOrder = 'newest' | 'number'

const rowsPerRead = 1_000

type Scan = {
  seq: number
  order: HeldOrder
  /** Only rows after this one; with order by number, only the number counts. */
  after?: Cursor | undefined
  /** Only relations of this entity. */
  entityId?: number | undefined
}

/**
 * The keys of all rows valid after a change, in parts that each cost one bounded read. `reached` is the
 * last row examined, undefined at the end.
 */
export async function* scanHeld(
  db: Db,
  scope: Scope,
  table: 'entities' | 'relations',
  { seq, order, after, entityId }: Scan,
): AsyncGenerator<{ keys: HeldKey[]; reached: HeldKey | undefined }, void> {
  let place = placeAfter(order, after)
  for (;;) {
    const rows = await readKeys(db, scope, table, { order, place, entityId })
    const last = rows.length < rowsPerRead ? undefined : rows.at(-1)
    const keys = rows.filter(({ since, until }) => since <= seq && (until === null || until > seq))
    yield { keys, reached: last }
    if (last === undefined) return
    place = placeOf(order, last)
    await nextTask()
  }
}

/** The columns that order a scan, and the values of the row after which it continues. */
const orders = {
  newest: { columns: sql`created_at, id, since`, direction: sql`desc`, sign: sql`<` },
  number: { columns: sql`id, since`, direction: sql`asc`, sign: sql`>` },
} as const

const directions = {
  newest: sql`created_at desc, id desc, since desc`,
  number: sql`id, since`,
} as const

const placeOf = (order: HeldOrder, { created_at, id, since }: HeldKey): number[] =>
  order === 'newest' ? [created_at, id, since] : [id, since]

function placeAfter(order: HeldOrder, after: Cursor | undefined): number[] | undefined {
  if (after === undefined) return undefined
  return order === 'newest' ? [after.at, after.id, 0] : [after.id, Number.MAX_SAFE_INTEGER]
}

async function readKeys(
  db: Db,
  scope: Scope,
  table: 'entities' | 'relations',
  page: { order: HeldOrder; place: number[] | undefined; entityId: number | undefined },
): Promise<HeldKey[]> {
  const { columns, sign } = orders[page.order]
  const rest = page.place === undefined ? sql`` : sql`and (${columns}) ${sign} (${sql.join(page.place)})`
  const owners = page.entityId === undefined ? [undefined] : (['from_id', 'to_id'] as const)
  const arms = owners.flatMap((owner) =>
    [false, true].map((isPast) => {
      const until = isPast ? sql`until` : sql`cast(null as bigint) as until`
      const ends =
        table === 'relations'
          ? sql`from_id, to_id`
          : sql`cast(null as bigint) as from_id, cast(null as bigint) as to_id`
      const own = owner === undefined ? sql`` : sql`and ${sql.ref(owner)} = ${page.entityId}`
      return sql`select id, created_at, since, ${until}, type, ${ends}
        from ${sql.table(isPast ? pastTables[table] : table)} where ${inScope(scope)} ${own} ${rest}`
    }),
  )
  const end = sql`order by ${directions[page.order]} limit ${rowsPerRead}`
  const { rows } = await sql<HeldKey>`${dialectOf(db).firstOf(arms, end)}`.execute(db)
  return rows
}

/** Observations of these entities as of a change, oldest first. */
export async function listHeldObservations(
  db: Db,
  scope: Scope,
  entityIds: readonly number[],
  seq: number,
): Promise<Versions['observations'][]> {
  const rows: Versions['observations'][] = []
  for await (const some of scanHeldObservations(db, scope, entityIds, seq)) rows.push(...some)
  return rows
}

const observationsPerPart = 100

/** The same in parts, since each may have 64 KiB of text. */
export async function* scanHeldObservations(
  db: Db,
  scope: Scope,
  entityIds: readonly number[],
  seq: number,
): AsyncGenerator<Versions['observations'][], void> {
  const owned = dialectOf(db).isOneOfNumbers('entity_id', entityIds)
  const { rows: keys } = await sql<{ id: number }>`select id, created_at from observations
    where ${inScope(scope)} and ${owned} and ${heldIn(false, seq)} union all
    select id, created_at from past_observations
    where ${inScope(scope)} and ${owned} and ${heldIn(true, seq)} order by created_at, id`.execute(db)
  for (const some of chunksOf(keys, observationsPerPart)) {
    const moments = some.map(({ id }) => ({ id, seq }))
    const found = await findVersionsAt(db, scope, 'observations', moments)
    yield moments.flatMap((moment) => found.get(keyOfMoment(moment)) ?? [])
  }
}

async function readHeld<T extends VersionedTable>(
  db: Db,
  scope: Scope,
  table: T,
  seq: number,
  condition: RawBuilder<unknown>,
  limit?: number,
): Promise<Versions[T][]> {
  const found: Versions[T][] = []
  const most = limit === undefined ? sql`` : sql`limit ${limit}`
  for (const isPast of [false, true]) {
    const { rows } = await sql<Versions[T]>`select ${versionColumns(table, isPast)}
      from ${sql.table(isPast ? pastTables[table] : table)}
      where ${inScope(scope)} and ${condition} and ${heldIn(isPast, seq)} ${most}`.execute(db)
    found.push(...rows)
  }
  return found
}

/**
 * Relations from (`from_id`) or to (`to_id`) one of the entities as of a change, at most twice `limit`;
 * with `among`, only those to one of these.
 */
export async function listHeldRelations(
  db: Db,
  scope: Scope,
  end: 'from_id' | 'to_id',
  entityIds: readonly number[],
  { seq, limit, among }: { seq: number; limit: number; among?: readonly number[] },
): Promise<Versions['relations'][]> {
  const dialect = dialectOf(db)
  const owned = dialect.isOneOfNumbers(end, entityIds)
  // The sum keeps the second list out of the index lookup.
  const condition =
    among === undefined ? owned : sql`${owned} and ${dialect.isOneOfNumbers(sql`to_id + 0`, among)}`
  return readHeld(db, scope, 'relations', seq, condition, limit)
}

/**
 * Number of observations of an entity as of a change, and the newest change up to then that concerns
 * one of them.
 */
export type HeldCount = { count: number; last: number }

/** By entity number; entities without observations are left out. */
export async function countHeldObservations(
  db: Db,
  scope: Scope,
  entityIds: readonly number[],
  seq: number,
): Promise<Map<number, HeldCount>> {
  const owned = dialectOf(db).isOneOfNumbers('entity_id', entityIds)
  const { rows } = await sql<{ entity_id: number; held: number; last: number }>`
    select entity_id, sum(held) as held, max(last) as last from (
      select entity_id, 1 as held, since as last from observations
      where ${inScope(scope)} and ${owned} and since <= ${seq}
      union all
      select entity_id, case when until > ${seq} then 1 else 0 end as held,
        case when until > ${seq} then since else until end as last from past_observations
      where ${inScope(scope)} and ${owned} and since <= ${seq}
    ) as versions group by entity_id`.execute(db)
  return new Map(rows.map(({ entity_id, held, last }) => [entity_id, { count: Number(held), last }]))
}
