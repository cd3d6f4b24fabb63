import pg from 'pg'
import { createDb } from '../src/db/dialect-of.ts'
import { postgresDialect } from '../src/db/dialect-postgres.ts'
import { distributeTables } from '../src/db/distribute.ts'
import { migrate } from '../src/db/migrate.ts'

/** Low, since each test file has its own database with all its tables. */
const shardsPerTable = 4

/** Tests run on a Citus cluster if this is set to the address of its coordinator. */
export const isOnCitus = (process.env.CITUS_DATABASE_URL ?? '') !== ''

type Node = { host: string; port: number }

/** Creates a database of this name on each node of the cluster and distributes our tables over them. */
export async function createCitusDatabase(base: string, name: string): Promise<string> {
  const [coordinator, ...workers] = await runOn(base, async (client) => {
    const { rows } = await client.query<Node>(
      'select nodename as host, nodeport as port from pg_dist_node order by groupid',
    )
    return rows
  })
  for (const node of [coordinator!, ...workers]) {
    await runOn(addressOf(base, node), (client) => client.query(`create database ${name}`))
    await runOn(addressOf(base, node, name), (client) => client.query('create extension citus'))
  }
  const url = addressOf(base, coordinator!, name)
  await runOn(url, async (client) => {
    await client.query('select citus_set_coordinator_host($1, $2)', [coordinator!.host, coordinator!.port])
    for (const { host, port } of workers) await client.query('select citus_add_node($1, $2)', [host, port])
    await client.query(`alter database ${name} set citus.shard_count = ${shardsPerTable}`)
  })
  await distributeAll(url)
  return url
}

/** Drops the database from each node. */
export async function dropCitusDatabase(base: string, name: string): Promise<void> {
  const nodes = await runOn(base, async (client) => {
    const { rows } = await client.query<Node>('select nodename as host, nodeport as port from pg_dist_node')
    return rows
  })
  for (const node of nodes) {
    await runOn(addressOf(base, node), (client) =>
      client.query(`drop database if exists ${name} with (force)`),
    )
  }
}

async function distributeAll(url: string): Promise<void> {
  const dialect = postgresDialect(url)
  const db = createDb(dialect)
  try {
    await migrate(db)
    await distributeTables(db)
  } finally {
    await db.destroy()
  }
}

function addressOf(base: string, { host, port }: Node, database?: string): string {
  const url = new URL(base)
  url.hostname = host
  url.port = String(port)
  if (database !== undefined) url.pathname = `/${database}`
  return url.toString()
}

async function runOn<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
