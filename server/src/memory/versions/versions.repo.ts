import { sql } from 'kysely'
import { chunksOf } from '../../ground/lib/chunks.ts'
import { breathe } from '../../ground/lib/pace.ts'
import { pastTables, rowColumns, type VersionedTable, type Versions } from '../../rows/columns.ts'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { isIn } from '../../tenancy/scope.repo.ts'
import type { Scope } from '../../tenancy/scope.ts'

/** The columns of a row, in SQL; for a current row `until` is null. */
export const versionColumns = (table: VersionedTable, isPast: boolean) => selections[table][isPast ? 1 : 0]

const selectionsOf = (table: VersionedTable) => {
  const columns = rowColumns[table].filter((column) => column !== 'account_id' && column !== 'space_id')
  return [sql.raw(`${columns}, null as until`), sql.raw(`${columns}, until`)] as const
}
const selections = {
  entities: selectionsOf('entities'),
  observations: selectionsOf('observations'),
  relations: selectionsOf('relations'),
}

/** A row at the moment after a change. */
export type Moment = { id: number; seq: number }

export const keyOfMoment = ({ id, seq }: Moment) => `${id} ${seq}`

/** A row with texts may have 64 KiB of them, and SQLite reads all rows of a statement in one piece. */
const rowsPerLookUp = { entities: 50, observations: 50, relations: 500 } satisfies Record<
  VersionedTable,
  number
>

/** The versions that were current at these moments, by `keyOfMoment`. `known` are the rows that are current now. */
export async function findVersionsAt<T extends VersionedTable>(
  db: Db,
  scope: Scope,
  table: T,
  moments: readonly Moment[],
  known?: ReadonlyMap<number, Versions[T]>,
): Promise<Map<string, Versions[T]>> {
  const found = new Map<string, Versions[T]>()
  const ids = moments.map(({ id }) => id)
  const current = known ?? (await findCurrent(db, scope, table, ids))
  const earlier: Moment[] = []
  for (const moment of moments) {
    const row = current.get(moment.id)
    if (row !== undefined && row.since <= moment.seq) found.set(keyOfMoment(moment), row)
    else earlier.push(moment)
  }
  for (const chunk of chunksOf(earlier, rowsPerLookUp[table])) {
    await breathe()
    for (const { at_seq: seq, ...version } of await findPast(db, scope, table, chunk)) {
      const row = version as unknown as Versions[T]
      found.set(keyOfMoment({ id: row.id, seq }), row)
    }
  }
  return found
}

/** The current rows, by number. */
export async function findCurrent<T extends VersionedTable>(
  db: Db,
  scope: Scope,
  table: T,
  ids: readonly number[],
): Promise<Map<number, Versions[T]>> {
  const found = new Map<number, Versions[T]>()
  for (const chunk of chunksOf([...new Set(ids)], rowsPerLookUp[table])) {
    await breathe()
    const { rows } = await sql<Versions[T]>`select ${versionColumns(table, false)} from ${sql.table(table)}
      where account_id = ${scope.accountId} and space_id = ${scope.spaceId} and ${dialectOf(db).isOneOfNumbers('id', chunk)}`.execute(
      db,
    )
    for (const row of rows) found.set(row.id, row)
  }
  return found
}

/** For each moment, the newest version that had begun, if it had not ended. */
async function findPast<T extends VersionedTable>(
  db: Db,
  { accountId, spaceId }: Scope,
  table: T,
  moments: readonly Moment[],
): Promise<(Versions[T] & { at_seq: number })[]> {
  const dialect = dialectOf(db)
  const past = pastTables[table]
  const wanted = dialect.rowsOf(
    'wanted',
    moments.map(({ id, seq }) => ({ wanted_id: id, wanted_seq: seq })),
  )
  const condition = sql`version.account_id = ${accountId} and version.space_id = ${spaceId}
    and version.id = wanted.wanted_id and version.since = (
      select max(older.since) from ${sql.table(past)} as older
      where older.account_id = ${accountId} and older.space_id = ${spaceId}
        and older.id = wanted.wanted_id and older.since <= wanted.wanted_seq)`
  const { rows } = await sql<Versions[T] & { at_seq: number }>`
    select ${versionColumns(table, true)}, wanted_seq as at_seq
    from ${wanted} ${dialect.lookUp(past, 'version', condition)}
    where version.until > wanted_seq`.execute(db)
  return rows
}

/** The newest past version of each, by number. */
export async function findLastPast<T extends VersionedTable>(
  db: Db,
  { accountId, spaceId }: Scope,
  table: T,
  ids: readonly number[],
): Promise<Map<number, Versions[T]>> {
  const dialect = dialectOf(db)
  const found = new Map<number, Versions[T]>()
  const past = pastTables[table]
  for (const chunk of chunksOf([...new Set(ids)], rowsPerLookUp[table])) {
    const wanted = dialect.rowsOf(
      'wanted',
      chunk.map((id) => ({ wanted_id: id })),
    )
    const condition = sql`version.account_id = ${accountId} and version.space_id = ${spaceId}
      and version.id = wanted.wanted_id and version.since = (
        select max(newest.since) from ${sql.table(past)} as newest
        where newest.account_id = ${accountId} and newest.space_id = ${spaceId} and newest.id = wanted.wanted_id)`
    const { rows } = await sql<Versions[T]>`select ${versionColumns(table, true)}
      from ${wanted} ${dialect.lookUp(past, 'version', condition)}`.execute(db)
    for (const row of rows) found.set(row.id, row)
  }
  return found
}

const namesakesMax = 1_000

/** Numbers of the entities that have or had this name, as their own or as an alias. */
export async function findEverNamed(db: Db, scope: Scope, name: string): Promise<number[]> {
  const of = (table: 'entities' | 'past_entities') =>
    db
      .selectFrom(table)
      .select('id')
      .where(isIn(scope))
      .where('name', '=', name)
      .limit(namesakesMax)
      .execute()
  const aliases = await db
    .selectFrom('aliases')
    .select('entity_id as id')
    .where(isIn(scope))
    .where('name', '=', name)
    .execute()
  const rows = [...(await of('entities')), ...(await of('past_entities')), ...aliases]
  return [...new Set(rows.map(({ id }) => id))]
}
