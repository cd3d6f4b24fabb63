import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../src/store/db.ts'
import type { DialectName } from './harness.ts'

/** A table as the database describes it. */
export type TableSchema = {
  name: string
  columns: string[]
  primaryKey: string[]
  /** Columns of unique indexes other than the primary key. */
  uniques: string[][]
  foreignKeys: { table: string; onDelete: string }[]
}
export type Schema = { tables: TableSchema[]; triggers: string[] }

export function readSchema(db: Db, dialect: DialectName): Promise<Schema> {
  return dialect === 'sqlite' ? readSqlite(db) : readPostgres(db)
}

const namesOf = async (db: Db, query: RawBuilder<{ name: string }>) =>
  (await query.execute(db)).rows.map(({ name }) => name)

async function readSqlite(db: Db): Promise<Schema> {
  const names = await namesOf(
    db,
    sql`select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite_%'`,
  )
  const tables = await Promise.all(
    names.map(async (name): Promise<TableSchema> => {
      const columnsOf = (index: string) =>
        namesOf(db, sql`select name from pragma_index_info(${index}) order by seqno`)
      const uniques = await namesOf(
        db,
        sql`select name from pragma_index_list(${name}) where "unique" = 1 and origin <> 'pk'`,
      )
      const keys = await sql<{ table: string; on_delete: string }>`
        select "table", on_delete from pragma_foreign_key_list(${name})`.execute(db)
      return {
        name,
        columns: await namesOf(db, sql`select name from pragma_table_info(${name})`),
        primaryKey: await namesOf(
          db,
          sql`select name from pragma_table_info(${name}) where pk > 0 order by pk`,
        ),
        uniques: await Promise.all(uniques.map(columnsOf)),
        foreignKeys: keys.rows.map((key) => ({ table: key.table, onDelete: key.on_delete.toLowerCase() })),
      }
    }),
  )
  const triggers = await namesOf(db, sql`select name from sqlite_master where type = 'trigger'`)
  return { tables, triggers }
}

type PostgresTable = {
  name: string
  columns: string[]
  indexes: { columns: string[]; primary: boolean }[] | null
  keys: { table: string; onDelete: string }[] | null
}

async function readPostgres(db: Db): Promise<Schema> {
  const { rows } = await sql<PostgresTable>`
    select c.relname as name,
      (select json_agg(a.attname order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
      (select json_agg(json_build_object('primary', i.indisprimary, 'columns', (
          select json_agg(a.attname order by k.place)
          from unnest(i.indkey::int2[]) with ordinality as k (attnum, place)
          join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum)))
        from pg_index i where i.indrelid = c.oid and i.indisunique) as indexes,
      (select json_agg(json_build_object('table', f.confrelid::regclass::text, 'onDelete', f.confdeltype))
        from pg_constraint f where f.conrelid = c.oid and f.contype = 'f') as keys
    from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')`.execute(
    db,
  )
  const triggers = await namesOf(
    db,
    // Citus adds triggers to its own tables.
    sql`select tgname as name from pg_trigger join pg_class c on c.oid = tgrelid
      where not tgisinternal and c.relnamespace = current_schema()::regnamespace`,
  )
  const nothing = 'a'
  const tables = rows.map(({ name, columns, indexes, keys }): TableSchema => {
    const [primary] = (indexes ?? []).filter((index) => index.primary)
    const uniques = (indexes ?? []).filter((index) => !index.primary)
    return {
      name,
      columns,
      primaryKey: primary?.columns ?? [],
      uniques: uniques.map((index) => index.columns),
      foreignKeys: (keys ?? []).map(({ table, onDelete }) => ({
        table,
        onDelete: onDelete === nothing ? 'no action' : onDelete,
      })),
    }
  })
  return { tables, triggers }
}
