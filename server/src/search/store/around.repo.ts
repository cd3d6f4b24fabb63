import { type RawBuilder, sql } from 'kysely'
import { readIds } from '../../ground/lib/id-lists.ts'
import type { Db, NumberedRange } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { prepared, statement } from '../../store/prepared.ts'
import type { Scope } from '../../tenancy/scope.ts'
import type { Around, OfEntity } from './index-rows.ts'
import type { WithMemory } from './search-index.repo.ts'

type Asked = Scope & { ranges: readonly NumberedRange[]; afterMax: number }
type AskedAround = Asked & { beforeMax: number }

/** As a column: ids separated by commas. */
const near = (
  { accountId, spaceId }: Scope,
  isOnSide: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
  limit: number,
) =>
  sql`(select string_agg(cast(id as text), ',') from (
    select o.id as id from observations as o
    where o.account_id = ${accountId} and o.space_id = ${spaceId} and o.entity_id = asked.low and ${isOnSide}
    order by o.id ${order} limit ${limit}
  ) as near)`

const before = (asked: AskedAround) => near(asked, sql`o.id < asked.key`, sql`desc`, asked.beforeMax)
const after = (asked: Asked) => near(asked, sql`o.id > asked.key`, sql`asc`, asked.afterMax)

type Row = { id: number; before: string | null; after: string | null }

const selectAround = prepared((db: Db, values: AskedAround) =>
  statement<Row>(
    db,
    sql`select asked.key as id, ${before(values)} as before, ${after(values)} as after
      from ${dialectOf(db).numberedRangesOf(values.ranges)} as asked`,
  ),
)
const selectAfter = prepared((db: Db, values: Asked) =>
  statement<Omit<Row, 'before'>>(
    db,
    sql`select asked.key as id, ${after(values)} as after from ${dialectOf(db).numberedRangesOf(values.ranges)} as asked`,
  ),
)

const toRanges = (observations: readonly OfEntity[]) =>
  observations.map(({ id, entityId }) => ({ key: id, low: entityId, high: 0 }))
const toNumbers = (ids: string | null) => [...readIds(ids ?? '')]

/** The observations around the given ones, of the same entity. */
export async function listAround(
  db: Db,
  { accountId, spaceId, memory }: WithMemory,
  observations: readonly OfEntity[],
  { beforeMax, afterMax }: { beforeMax: number; afterMax: number },
): Promise<(Around & { id: number })[]> {
  if (observations.length === 0) return []
  if (memory !== undefined) return memory.around(observations, { beforeMax, afterMax })
  const rows = await selectAround(db, {
    accountId,
    spaceId,
    ranges: toRanges(observations),
    beforeMax,
    afterMax,
  })
  return rows.map((row) => ({ id: row.id, before: toNumbers(row.before), after: toNumbers(row.after) }))
}

/** Only the observations after the given ones. */
export async function listAfter(
  db: Db,
  { accountId, spaceId, memory }: WithMemory,
  observations: readonly OfEntity[],
  afterMax: number,
): Promise<{ id: number; after: readonly number[] }[]> {
  if (observations.length === 0) return []
  if (memory !== undefined) return memory.around(observations, { beforeMax: 0, afterMax })
  const rows = await selectAfter(db, { accountId, spaceId, ranges: toRanges(observations), afterMax })
  return rows.map((row) => ({ id: row.id, after: toNumbers(row.after) }))
}
