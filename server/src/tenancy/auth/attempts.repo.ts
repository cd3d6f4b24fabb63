import { sql } from 'kysely'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'

/** Up to `burst` attempts at a time; each is forgotten after another `intervalMs`. */
export type AttemptRate = { burst: number; intervalMs: number }

/** A key that attempts are counted by, and its rate. */
export type Keyed = { key: string; rate: AttemptRate }

const sweptMax = 20

/**
 * When the counts of these keys are back at zero, and some others that already are, for {@link sweepAttempts}.
 */
export async function listAttempts(
  db: Db,
  keys: readonly string[],
  now: number,
): Promise<Map<string, number>> {
  const attempts = db.selectFrom('attempts').select(['key', 'clears_at'])
  const over = attempts.where('clears_at', '<=', now).orderBy('clears_at').limit(sweptMax)
  const rows = await attempts
    .where(dialectOf(db).isOneOf('key', keys))
    .unionAll(db.selectFrom(over.as('over')).select(['key', 'clears_at']))
    .execute()
  return new Map(rows.map((row) => [row.key, row.clears_at]))
}

/** The latest time at which attempts can be forgotten; anything later was counted before the clock was set back. */
export const lastClearing = ({ burst, intervalMs }: AttemptRate, now: number) => now + burst * intervalMs

/** Counts an attempt by each of the keys, in this order, but by none that had too many; returns those counted. */
export async function addAttempts(db: Db, counted: readonly Keyed[], now: number): Promise<Set<string>> {
  const rows = counted.map(({ key, rate }) => sql`(${key}, ${now + rate.intervalMs})`)
  const last = byKey('excluded.key', counted, (rate) => lastClearing(rate, now))
  const interval = sql`(excluded.clears_at - ${now})`
  const { rows: changed } = await sql<{ key: string }>`
    insert into attempts (key, clears_at) values ${sql.join(rows)}
    on conflict (key) do update
    set clears_at = ${interval} + case
      when attempts.clears_at > ${now} and attempts.clears_at <= ${last} then attempts.clears_at else ${now} end
    where attempts.clears_at <= ${last} - ${interval} or attempts.clears_at > ${last}
    returning key`.execute(db)
  return new Set(changed.map(({ key }) => key))
}

/** Undoes the count of an attempt that succeeded. Locks in the order of keys. */
export async function removeAttempts(db: Db, counted: readonly Keyed[]): Promise<void> {
  const dialect = dialectOf(db)
  const keys = dialect.isOneOf(
    'key',
    counted.map(({ key }) => key),
  )
  await sql`
    update attempts set clears_at = clears_at - ${byKey('key', counted, (rate) => rate.intervalMs)}
    where key in (select key from attempts where ${keys} order by key ${dialect.forUpdate})`.execute(db)
}

/** SQL for a figure of the rate of the row's key. */
function byKey(column: string, counted: readonly Keyed[], figureOf: (rate: AttemptRate) => number) {
  const cases = counted.map(({ key, rate }) => sql`when ${key} then cast(${figureOf(rate)} as bigint)`)
  return sql`case ${sql.ref(column)} ${sql.join(cases, sql` `)} end`
}

/** Deletes those of these counts that are back at zero, once they are many: more than one attempt adds. */
export async function sweepAttempts(db: Db, keys: readonly string[], now: number): Promise<void> {
  if (keys.length < sweptMax) return
  await db
    .deleteFrom('attempts')
    .where(dialectOf(db).isOneOf('key', keys))
    .where('clears_at', '<=', now)
    .execute()
}
