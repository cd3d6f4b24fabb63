import { sql } from 'kysely'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'

/** Up to `burst` attempts at a time; each is forgotten after another `intervalMs`. */
export type AttemptRate = { burst: number; intervalMs: number }

/** When the count of each key is back at zero; keys already at zero are left out. */
export async function listAttempts(db: Db, keys: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('attempts')
    .select(['key', 'clears_at'])
    .where(dialectOf(db).isOneOf('key', keys))
    .execute()
  return new Map(rows.map((row) => [row.key, row.clears_at]))
}

/** The latest time at which attempts can be forgotten; anything later was counted before the clock was set back. */
export const lastClearing = ({ burst, intervalMs }: AttemptRate, now: number) => now + burst * intervalMs

/** Counts an attempt, or returns false if there were too many. */
export async function addAttempt(db: Db, key: string, rate: AttemptRate, now: number): Promise<boolean> {
  const { burst, intervalMs } = rate
  const last = lastClearing(rate, now)
  const { numAffectedRows } = await sql`
    insert into attempts (key, clears_at) values (${key}, ${now + intervalMs})
    on conflict (key) do update
    set clears_at = ${intervalMs} + case
      when attempts.clears_at > ${now} and attempts.clears_at <= ${last} then attempts.clears_at else ${now} end
    where attempts.clears_at <= ${now + (burst - 1) * intervalMs} or attempts.clears_at > ${last}`.execute(db)
  return (numAffectedRows ?? 0n) > 0n
}

/** Undoes the count of an attempt that succeeded. */
export async function removeAttempt(db: Db, key: string, { intervalMs }: AttemptRate): Promise<void> {
  await sql`update attempts set clears_at = clears_at - ${intervalMs} where key = ${key}`.execute(db)
}

const sweptMax = 20

/** Deletes some counts that are back at zero: more at a time than one attempt adds. */
export async function sweepAttempts(db: Db, now: number): Promise<void> {
  const rows = await db
    .selectFrom('attempts')
    .select('key')
    .where('clears_at', '<=', now)
    .orderBy('clears_at')
    .limit(sweptMax)
    .execute()
  if (rows.length === 0) return
  const keys = rows.map((row) => row.key)
  await db
    .deleteFrom('attempts')
    .where(dialectOf(db).isOneOf('key', keys))
    .where('clears_at', '<=', now)
    .execute()
}
