import { sql } from 'kysely'
import type { Db } from './db.ts'
import { dropListenersIfFailed, withoutListeners } from './transact.ts'

/** Runs work in a transaction and takes it back; returns what it returned. Nothing of it is announced after the commit. */
export async function tryOut<T>(tx: Db, work: () => Promise<T>): Promise<T> {
  await sql`savepoint tried_out`.execute(tx)
  const result = await withoutListeners(tx, work)
  await sql`rollback to savepoint tried_out`.execute(tx)
  await sql`release savepoint tried_out`.execute(tx)
  return result
}

/** Runs work in a transaction, all of it or nothing: if it throws, what came before it stands. */
export async function attempt<T>(tx: Db, work: () => Promise<T>): Promise<T> {
  await sql`savepoint attempted`.execute(tx)
  try {
    return await dropListenersIfFailed(tx, work)
  } catch (error) {
    await sql`rollback to savepoint attempted`.execute(tx)
    throw error
  } finally {
    await sql`release savepoint attempted`.execute(tx)
  }
}
