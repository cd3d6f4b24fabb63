import { sql } from 'kysely'
import { chunksOf } from '../../ground/lib/chunks.ts'
import { breathe } from '../../ground/lib/pace.ts'
import { pastTables, rowColumns, type VersionedTable } from '../../rows/columns.ts'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { prepared, statement } from '../../store/prepared.ts'
import { isIn } from '../../tenancy/scope.repo.ts'
import type { Scope } from '../../tenancy/scope.ts'

/** The version of a row that ends, and the change that ends it. */
export type Ending = { id: number; until: number }

/** Rows copied, changed or deleted per statement: SQLite runs a statement to its end before anyone else can run. */
const rowsPerStatement = 250

const copyOf = {
  entities: copyOne('entities'),
  observations: copyOne('observations'),
  relations: copyOne('relations'),
}

/** Copies the current versions of rows to the past table. The caller must then change or delete the rows. */
export async function copyToPast(
  db: Db,
  { accountId, spaceId }: Scope,
  table: VersionedTable,
  endings: readonly Ending[],
): Promise<void> {
  const dialect = dialectOf(db)
  const [first] = endings
  if (first !== undefined && endings.length === 1) {
    await copyOf[table](db, { accountId, spaceId, ...first })
    return
  }
  for (const chunk of chunksOf(endings, rowsPerStatement)) {
    await breathe()
    const rows = chunk.map(({ id, until }) => ({ id, until }))
    const condition = sql`current.account_id = ${accountId} and current.space_id = ${spaceId} and current.id = ending.id`
    await sql`${insertInto(table)}
      select ${selection(table)}, ending.until
      from ${dialect.rowsOf('ending', rows)} ${dialect.lookUp(table, 'current', condition)}`.execute(db)
  }
}

function copyOne(table: VersionedTable) {
  return prepared((db, { accountId, spaceId, id, until }: Scope & Ending) =>
    statement<unknown>(
      db,
      sql`${insertInto(table)}
        select ${selection(table)}, cast(${until} as bigint)
        from ${sql.table(table)} as current
        where current.account_id = ${accountId} and current.space_id = ${spaceId} and current.id = ${id}`,
    ),
  )
}

const insertInto = (table: VersionedTable) => {
  const columns = sql.join([...rowColumns[table], 'until'].map((column) => sql.ref(column)))
  return sql`insert into ${sql.table(pastTables[table])} (${columns})`
}

const selection = (table: VersionedTable) =>
  sql.join(rowColumns[table].map((column) => sql.ref(`current.${column}`)))

/** A row and the change with which its new version begins. */
type Beginning = { id: number; since: number }

/** What each new version of an entity has. */
const setVersion = [sql`version = version + 1`, sql`since_observations = observations_count`]

/** Sets the same columns of several rows after {@link copyToPast}. */
export async function updateRows(
  db: Db,
  { accountId, spaceId }: Scope,
  table: VersionedTable,
  beginnings: readonly Beginning[],
  columns: Readonly<Record<string, string | number | null>>,
): Promise<void> {
  const dialect = dialectOf(db)
  const own = (column: string) => sql.ref(`${table}.${column}`)
  const given = Object.entries(columns).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
  const set = table === 'entities' ? [...given, ...setVersion] : given
  const [first] = beginnings
  if (first !== undefined && beginnings.length === 1) {
    await sql`update ${sql.table(table)} set ${sql.join([...set, sql`since = ${first.since}`])}
      where ${isIn({ accountId, spaceId })} and id = ${first.id}`.execute(db)
    return
  }
  for (const chunk of chunksOf(beginnings, rowsPerStatement)) {
    await breathe()
    const rows = chunk.map(({ id, since }) => ({ begun_id: id, begun_since: since }))
    const ids = chunk.map(({ id }) => id)
    await sql`update ${sql.table(table)} set ${sql.join([...set, sql`since = begun_since`])}
      from ${dialect.rowsOf('begun', rows)}
      where ${own('account_id')} = ${accountId} and ${own('space_id')} = ${spaceId}
        and ${dialect.isJoined(`${table}.id`, ids)} and ${own('id')} = begun_id`.execute(db)
  }
}

const deleteFrom = {
  entities: deleteThose('entities'),
  observations: deleteThose('observations'),
  relations: deleteThose('relations'),
}

/** Deletes current rows, but nothing that belongs to them. */
export async function deletePastRows(
  db: Db,
  { accountId, spaceId }: Scope,
  table: VersionedTable,
  ids: readonly number[],
): Promise<void> {
  for (const chunk of chunksOf(ids, rowsPerStatement)) {
    await breathe()
    await deleteFrom[table](db, { accountId, spaceId, ids: chunk })
  }
}

function deleteThose(table: VersionedTable) {
  return prepared((db, values: Scope & { ids: readonly number[] }) =>
    db.deleteFrom(table).where(isIn(values)).where(dialectOf(db).isOneOfNumbers('id', values.ids)),
  )
}
