import { sql } from 'kysely'
import type { Db } from '../db/db.ts'

/** Takes or keeps a lease until `expiresAt`; false while another process has it. */
export async function takeLease(
  db: Db,
  name: string,
  holder: string,
  { now, expiresAt }: { now: number; expiresAt: number },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into leases (name, holder, expires_at) values (${name}, ${holder}, ${expiresAt})
    on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
    where leases.holder = excluded.holder or leases.expires_at <= ${now}`.execute(db)
  return (numAffectedRows ?? 0n) > 0n
}

export async function releaseLease(db: Db, name: string, holder: string): Promise<void> {
  await db.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder).execute()
}
