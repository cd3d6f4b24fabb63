import pg from 'pg'
import { createDb } from '../src/store/dialect-of.ts'
import { postgresDialect } from '../src/store/dialect-postgres.ts'
import { distributeTables } from '../src/store/distribute.ts'
import { migrate } from '../src/store/migrate.ts'

/** Low, since each test file has its own database with all its tables. */
const shardsPerTable = 4

/** Tests run on a Citus cluster if this is set to the address of its coordinator. */
export const isOnCitus = (process.env.CITUS_DATABASE_URL ?? '') !== ''

type Node = { host: string; port: number }

/** Creates a database of this name on each node of the cluster and distributes our tables over them. */
export async function createCitusDatabase(base: string, name: string): Promise<string> {
  const nodes = await listNodes(base)
  const [coordinator, ...workers] = nodes
  for (const node of nodes) {
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

/**
 * Copies a closed database on each node, which takes a fraction of the time that distributing does: what Citus knows of
 * nodes and shards is stored in the database, so the copies form a cluster.
 */
export async function copyCitusDatabase(base: string, template: string, name: string): Promise<string> {
  const nodes = await listNodes(base)
  await onEach(base, nodes, `create database ${name} template ${template}`)
  return addressOf(base, nodes[0]!, name)
}

/** Ends the connections of a database (Citus has some of its own) and allows no more, so that it can be copied. */
export async function closeCitusDatabase(base: string, name: string): Promise<void> {
  const nodes = await listNodes(base)
  await onEach(base, nodes, `alter database ${name} with allow_connections false`)
  await onEach(
    base,
    nodes,
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`,
  )
}

/** Drops the database from each node. */
export async function dropCitusDatabase(base: string, name: string): Promise<void> {
  await onEach(base, await listNodes(base), `drop database if exists ${name} with (force)`)
}

/** The coordinator comes first. */
function listNodes(base: string): Promise<Node[]> {
  return runOn(base, async (client) => {
    const { rows } = await client.query<Node>(
      'select nodename as host, nodeport as port from pg_dist_node order by groupid',
    )
    return rows
  })
}

async function onEach(base: string, nodes: readonly Node[], statement: string): Promise<void> {
  await Promise.all(nodes.map((node) => runOn(addressOf(base, node), (client) => client.query(statement))))
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
