import { sql } from 'kysely'
import type { Db } from './db.ts'
import { withoutListeners } from './transact.ts'

/** Runs work in a transaction and takes it back; returns what it returned. Nothing of it is announced after the commit. */
export async function tryOut<T>(tx: Db, work: () => Promise<T>): Promise<T> {
  await sql`savepoint tried_out`.execute(tx)
  const result = await withoutListeners(tx, work)
  await sql`rollback to savepoint tried_out`.execute(tx)
  await sql`release savepoint tried_out`.execute(tx)
  return result
}
