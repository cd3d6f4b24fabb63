import { constants, type DatabaseSync, type StatementSync } from 'node:sqlite'
import type { Database } from './schema.ts'

/** Columns that almost every call updates, and that callers' credentials do not depend on. */
const routineColumns: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    accounts: ['next_id', 'next_actor_id', 'entities', 'bytes'],
    spaces: ['entities', 'relations', 'observations', 'seq', 'written_at', 'indexed', 'passages', 'length'],
  }),
)

/** Tables of the graph, its log, its index and the statistics. */
const routineTables: ReadonlySet<string> = new Set<keyof Database | 'postings'>([
  'entities',
  'aliases',
  'observations',
  'relations',
  'past_entities',
  'past_observations',
  'past_relations',
  'change_sets',
  'changes',
  'actors',
  'type_counts',
  'daily_counts',
  'passages',
  'index_marks',
  'search_words',
  'turn_indexes',
  'postings',
  'idempotency_keys',
  'recalls',
  'agents',
  'operation_counts',
  'month_counts',
  'door_calls',
  'key_counts',
  'key_days',
])

const writes: ReadonlySet<number> = new Set([
  constants.SQLITE_INSERT,
  constants.SQLITE_UPDATE,
  constants.SQLITE_DELETE,
])

type Prepared = { statement: StatementSync; isRoutine: boolean }

/**
 * Prepares statements, and tells which of them are routine: they cannot affect what `remembered` look-ups return.
 * SQLite itself reports what a statement would write, so any table or column not listed here counts. Where Node cannot
 * ask SQLite (before 24.10), no write is routine.
 */
export function createRoutineCheck(database: DatabaseSync): (sql: string) => Prepared {
  const canAsk: boolean = 'setAuthorizer' in database
  if (!canAsk) return (sql) => ({ statement: database.prepare(sql), isRoutine: false })
  let isRoutine = true
  database.setAuthorizer((action, table, column) => {
    if (writes.has(action) && !isRoutineWrite(action, table ?? '', column ?? '')) isRoutine = false
    return constants.SQLITE_OK
  })
  return (sql) => {
    isRoutine = true
    const statement = database.prepare(sql)
    return { statement, isRoutine }
  }
}

function isRoutineWrite(action: number, table: string, column: string): boolean {
  if (routineTables.has(table)) return true
  return action === constants.SQLITE_UPDATE && routineColumns.get(table)?.includes(column) === true
}
