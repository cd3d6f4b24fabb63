import { sql } from 'kysely'
import type { Db } from '../db/db.ts'
import { dialectOf } from '../db/dialect-of.ts'
import { prepared, statement } from '../db/prepared.ts'
import { chunksOf } from '../lib/chunks.ts'
import { breathe } from '../lib/turns.ts'
import type { Scope } from '../scope.ts'

/** The tables of current rows; each has a table of past rows beside it. */
export type GraphTable = 'entities' | 'observations' | 'relations'

/** The version of a row that ends, and the change that ends it. */
export type Ending = { id: number; until: number }

const columnsOf = {
  entities:
    'name type metadata aliases observations_count degree version created_at updated_at since since_observations',
  observations: 'entity_id content content_hash metadata created_at updated_at since',
  relations: 'from_id to_id type created_at since',
}

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
  table: GraphTable,
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

function copyOne(table: GraphTable) {
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

const allColumnsOf = (table: GraphTable) => ['account_id', 'space_id', 'id', ...columnsOf[table].split(' ')]

const insertInto = (table: GraphTable) => {
  const columns = sql.join([...allColumnsOf(table), 'until'].map((column) => sql.ref(column)))
  return sql`insert into ${sql.table(`past_${table}`)} (${columns})`
}

const selection = (table: GraphTable) =>
  sql.join(allColumnsOf(table).map((column) => sql.ref(`current.${column}`)))

/** A row and the change with which its new version begins. */
type Beginning = { id: number; since: number }

/** Sets the same columns of several rows after {@link copyToPast}. */
export async function updateRows(
  db: Db,
  { accountId, spaceId }: Scope,
  table: GraphTable,
  beginnings: readonly Beginning[],
  columns: Readonly<Record<string, string | number>>,
): Promise<void> {
  const dialect = dialectOf(db)
  const own = (column: string) => sql.ref(`${table}.${column}`)
  const set = Object.entries(columns).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
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
  table: GraphTable,
  ids: readonly number[],
): Promise<void> {
  for (const chunk of chunksOf(ids, rowsPerStatement)) {
    await breathe()
    await deleteFrom[table](db, { accountId, spaceId, ids: chunk })
  }
}

function deleteThose(table: GraphTable) {
  return prepared((db, values: Scope & { ids: readonly number[] }) =>
    db
      .deleteFrom(table)
      .where('account_id', '=', values.accountId)
      .where('space_id', '=', values.spaceId)
      .where(dialectOf(db).isOneOfNumbers('id', values.ids)),
  )
}
