import pg from 'pg'

/** A PostgreSQL database as data: the statements that created its tables, and their rows by table. */
type Copy = { statements: readonly string[]; rows: Record<string, unknown[]> }

/** Reads all rows of the tables that `statements` created. */
export async function copyOut(url: string, statements: readonly string[]): Promise<string> {
  return withClient(url, async (client) => {
    const rows: Copy['rows'] = {}
    const tables = await client.query<{ name: string }>(
      'select tablename as name from pg_tables where schemaname = current_schema() order by 1',
    )
    for (const { name } of tables.rows) {
      const { rows: found } = await client.query<{ row: unknown }>(
        `select to_json(t) as row from ${pg.escapeIdentifier(name)} t`,
      )
      rows[name] = found.map(({ row }) => row)
    }
    return JSON.stringify({ statements, rows } satisfies Copy)
  })
}

/** Creates and fills the tables in an empty database. Needs a superuser, since rows come in no particular order. */
export async function copyIn(url: string, text: string): Promise<void> {
  const { statements, rows } = JSON.parse(text) as Copy
  await withClient(url, async (client) => {
    for (const statement of statements) await client.query(statement)
    await client.query('set session_replication_role = replica')
    for (const [table, found] of Object.entries(rows)) {
      const name = pg.escapeIdentifier(table)
      await client.query(`insert into ${name} select * from json_populate_recordset(null::${name}, $1)`, [
        JSON.stringify(found),
      ])
    }
  })
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
