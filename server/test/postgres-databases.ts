import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { createDb } from '../src/store/dialect-of.ts'
import { postgresDialect } from '../src/store/dialect-postgres.ts'
import { migrate } from '../src/store/migrate.ts'
import {
  closeCitusDatabase,
  copyCitusDatabase,
  createCitusDatabase,
  dropCitusDatabase,
  isOnCitus,
} from './citus.ts'

export type TestDatabase = { url: string; drop: () => Promise<void> }

type Made = {
  /** The database that it is a copy of; without, it is empty. */
  template?: string | undefined
  encoding?: string
}

/** Creates a database on the server at `base`. */
export async function createPostgresDatabase(
  base: string,
  { template, encoding }: Made = {},
): Promise<TestDatabase> {
  const name = `loci_${randomUUID().replaceAll('-', '')}`
  if (isOnCitus) {
    const url =
      template === undefined
        ? await createCitusDatabase(base, name)
        : await copyCitusDatabase(base, template, name)
    return { url, drop: () => dropCitusDatabase(base, name) }
  }
  const encoded = encoding === undefined ? '' : ` encoding '${encoding}'`
  await runOnPostgres(
    base,
    `create database ${name} template ${template ?? 'template0'} strategy file_copy${encoded}`,
  )
  const url = new URL(base)
  url.pathname = `/${name}`
  return {
    url: url.toString(),
    drop: () => runOnPostgres(base, `drop database if exists ${name} with (force)`),
  }
}

/** A database with all tables and no rows: copying it takes a fraction of the time that migrating does. */
export async function createTemplate(base: string): Promise<TestDatabase & { name: string }> {
  const database = await createPostgresDatabase(base)
  const db = createDb(postgresDialect(database.url))
  await migrate(db).finally(() => db.destroy())
  const name = new URL(database.url).pathname.slice(1)
  if (isOnCitus) await closeCitusDatabase(base, name)
  return { ...database, name }
}

const pools = new Map<string, pg.Pool>()

/** On one connection that stays open: opening one takes longer than creating a database. */
async function runOnPostgres(url: string, statement: string): Promise<void> {
  await (pools.get(url) ?? openPool(url)).query(statement)
}

function openPool(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true })
  // The connection ends with its server; the next statement opens another.
  pool.on('error', () => {})
  pools.set(url, pool)
  return pool
}
