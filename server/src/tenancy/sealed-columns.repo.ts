import { sql } from 'kysely'
import type { Db } from '../store/db.ts'

/** The columns that are sealed with the master secret for long, and the keys of their tables. */
export const sealedColumns = {
  personalKeys: { table: 'users', key: ['id'], columns: ['personal_key_encrypted'] },
  webhooks: { table: 'webhooks', key: ['account_id', 'id'], columns: ['secret', 'old_secret'] },
  authenticators: { table: 'users', key: ['id'], columns: ['totp_secret'] },
  mails: { table: 'mails', key: ['account_id', 'id'], columns: ['content'] },
} as const

type Place = { table: string; key: readonly string[]; columns: readonly [string, ...string[]] }
export type SealedRow = Record<string, string | number | null>

const refsOf = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)))

/** The rows after `last` that have something sealed in the first of the columns, in the order of their keys. */
export async function listSealed(
  db: Db,
  { table, key, columns }: Place,
  last: SealedRow | undefined,
  limit: number,
): Promise<SealedRow[]> {
  const after = last && sql`and (${refsOf(key)}) > (${sql.join(key.map((name) => last[name]))})`
  const { rows } = await sql<SealedRow>`select ${refsOf([...key, ...columns])} from ${sql.table(table)}
    where ${sql.ref(columns[0])} is not null ${after ?? sql``} order by ${refsOf(key)} limit ${limit}`.execute(
    db,
  )
  return rows
}

/** Does nothing if the value was replaced meanwhile. */
export async function replaceSealed(
  db: Db,
  { table, key }: Place,
  { row, column, resealed }: { row: SealedRow; column: string; resealed: string },
): Promise<void> {
  const isSame = [...key, column].map((name) => sql`${sql.ref(name)} = ${row[name]}`)
  await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${resealed}
    where ${sql.join(isSame, sql` and `)}`.execute(db)
}
