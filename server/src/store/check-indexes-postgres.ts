import { sql } from 'kysely'
import type { Db } from './db.ts'

const messagesMax = 20

/** The errors that PostgreSQL finds in our indexes, if the extension `amcheck` is installed and usable. */
export async function checkPostgresIndexes(db: Db): Promise<string[]> {
  const { rows: installed } = await sql`
    select 1 from pg_proc where proname = 'bt_index_check'
      and has_function_privilege(oid, 'execute') limit 1`.execute(db)
  if (installed.length === 0) return []
  const { rows } = await sql<{ index: string }>`
    select i.indexrelid::regclass::text as index from pg_index i
    join pg_class c on c.oid = i.indexrelid
    join pg_am a on a.oid = c.relam and a.amname = 'btree'
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'i' and i.indisvalid
    order by 1`.execute(db)
  const messages: string[] = []
  for (const { index } of rows) {
    try {
      await sql`select bt_index_check(${index}::regclass)`.execute(db)
    } catch (error) {
      messages.push(`the index ${index} is damaged: ${(error as Error).message}`)
    }
    if (messages.length === messagesMax) break
  }
  return messages
}
