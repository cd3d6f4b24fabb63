import { sql } from 'kysely'
import type { Db } from './db.ts'

/** Resolves when the database responds. */
export async function pingDatabase(db: Db): Promise<void> {
  await sql`select 1`.execute(db)
}
