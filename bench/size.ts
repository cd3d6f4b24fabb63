/**
 * The disk space per observation, everything included, table by table with its indexes, after an import of
 * invented text (and relations). `npm run bench:size -- 100000 [sqlite,postgres]`.
 */

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { databaseFileName } from '../server/src/store/open.ts'
import { importLines } from '../server/test/import-lines.ts'
import {
  type BenchServer,
  type DatabaseName,
  databases,
  openBenchAccount,
  startBenchServer,
} from './bench-server.ts'
import { print } from './lib/report.ts'
import { createCorpus } from './search-corpus.ts'

const [observations = '100000', asked = databases.join(',')] = process.argv.slice(2)
const observationsPerImport = 20_000
const leastShown = 0.5

type Size = { table: string; bytes: number }

for (const database of databases.filter((name) => asked.split(',').includes(name))) {
  const server = await startBenchServer(database)
  const { stored, textBytes } = await fill(server, Number(observations))
  const sizes = await readSizes(database, server)
  await server.close()
  const rows = sizes
    .map(({ table, bytes }) => ({ table, 'bytes an observation': Number((bytes / stored).toFixed(1)) }))
    .filter((row) => row['bytes an observation'] >= leastShown)
  const all = sizes.reduce((sum, { bytes }) => sum + bytes, 0)
  const title = `${database}: ${stored} observations of ${Math.round(textBytes / stored)} bytes`
  print(title, [{ table: 'all', 'bytes an observation': Math.round(all / stored) }, ...rows])
}

/** Each entity is related to the previous one. */
async function fill(server: BenchServer, wanted: number) {
  const person = await openBenchAccount(server)
  let [stored, textBytes, before] = [0, 0, '']
  let lines: string[] = []
  let relations: string[] = []
  let waiting = 0
  const send = async () => {
    await importLines(server, person, [...lines, ...relations].join('\n'))
    stored += waiting
    waiting = 0
    lines = []
    relations = []
  }
  for (const { name, observations: texts } of createCorpus(1).entities(wanted)) {
    lines.push(JSON.stringify({ type: 'entity', name, entityType: 'note', observations: texts }))
    if (before !== '')
      relations.push(JSON.stringify({ type: 'relation', from: name, to: before, relationType: 'follows' }))
    before = name
    waiting += texts.length
    textBytes += texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
    if (waiting >= observationsPerImport) await send()
  }
  if (waiting > 0) await send()
  return { stored, textBytes }
}

function readSizes(database: DatabaseName, server: BenchServer): Promise<Size[]> {
  return database === 'sqlite' ? readSqlite(server) : readPostgres(server.databaseUrl ?? '')
}

async function readSqlite({ ctx }: BenchServer): Promise<Size[]> {
  const file = new DatabaseSync(join(ctx.config.dataDir, databaseFileName))
  file.exec('pragma wal_checkpoint(full)')
  const rows = file
    .prepare(
      `select name || case when t.name is null then ' (index)' else '' end as name, sum(pgsize) as bytes
       from dbstat left join (select name from sqlite_schema where type = 'table') as t using (name)
       group by 1 order by 2 desc`,
    )
    .all() as { name: string; bytes: number }[]
  file.close()
  return rows.map(({ name, bytes }) => ({ table: name, bytes }))
}

async function readPostgres(url: string): Promise<Size[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ name: string; bytes: string }>(
    `select c.relname || case when i.indexrelid is null then '' else ' (index)' end as name,
       (pg_table_size(c.oid))::text as bytes
     from pg_class c left join pg_index i on i.indexrelid = c.oid
     where c.relkind in ('r', 'i') and c.relnamespace = current_schema()::regnamespace
     order by pg_table_size(c.oid) desc`,
  )
  await client.end()
  return rows.map(({ name, bytes }) => ({ table: name, bytes: Number(bytes) }))
}
