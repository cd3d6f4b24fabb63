import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { processorMsOf } from './process-use.ts'

/** The processor time of a database's own processes, and its transactions. */
export type DatabaseUse = { ms: number; transactions: number }

/** Of the database that the client is connected to; its processes are those that are there now. */
export async function useOfPostgres(client: pg.Client): Promise<DatabaseUse> {
  const { rows: processes } = await client.query<{ pid: number }>(
    "select pid from pg_stat_activity where backend_type <> 'autovacuum worker'",
  )
  const { rows } = await client.query(
    'select xact_commit + xact_rollback as count from pg_stat_database where datname = current_database()',
  )
  const ms = processes.reduce((sum, { pid }) => sum + processorMsOf(pid), 0)
  return { ms, transactions: Number(rows[0].count) }
}

const ticksPerSecond = 100

/** Processor time of the database's processes that have ended: Linux adds it to the process that started them. */
export async function endedMsOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const [, , , parent] = statOf(rows[0]!.pid)
  const [user, system] = statOf(Number(parent)).slice(15, 17)
  return ((Number(user) + Number(system)) / ticksPerSecond) * 1_000
}

/** Its name is in parentheses and may contain blanks. */
function statOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/\(.*\)/, 'name')
    .split(' ')
}

const quietMs = 20_000
const quietTransactions = 60
const patienceMs = 20 * 60_000

/** Waits until the work of a start has ended: folding, statistics and the like. Returns how long that took. */
export async function untilQuiet(client: pg.Client): Promise<number> {
  const begun = performance.now()
  let before = await useOfPostgres(client)
  while (performance.now() - begun < patienceMs) {
    await sleep(quietMs)
    const now = await useOfPostgres(client)
    if (now.transactions - before.transactions <= quietTransactions) break
    before = now
  }
  return performance.now() - begun
}
