import { sql } from 'kysely'
import type { Db } from '../../store/db.ts'

/**
 * Takes or renews the lease of this name for `holder` until `expiresAt`. False while another holder has it. A lease
 * lets one process at a time do a job; if that process dies, another takes over when the lease has expired. In a
 * transaction, it also keeps others from taking the lease before the commit. Times are milliseconds.
 */
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

/** Releases a lease before it expires. Does nothing if another holder has it. */
export async function releaseLease(db: Db, name: string, holder: string): Promise<void> {
  await db.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder).execute()
}
