import { type DialectAdapter, Kysely } from 'kysely'
import type { Db } from './db.ts'
import type { Dialect } from './dialect.ts'
import type { Database } from './schema.ts'

const dialects = new WeakMap<DialectAdapter, Dialect>()

/** Creates a database of this dialect, which {@link dialectOf} returns for it. */
export function createDb(dialect: Dialect): Db {
  const db = new Kysely<Database>({ dialect: dialect.kysely })
  setDialect(db, dialect)
  return db
}

/** For a dialect that wraps the one with which the database was created. */
export const setDialect = (db: Db, dialect: Dialect) => void dialects.set(db.getExecutor().adapter, dialect)

/** The dialect of a database, or of a transaction or snapshot on it. */
export function dialectOf(db: Db): Dialect {
  const dialect = dialects.get(db.getExecutor().adapter)
  if (dialect === undefined) throw new Error('This database was not made by createDb')
  return dialect
}
