import type { ApiKey } from '@loci/contract/keys'
import type { Db } from '../../db/db.ts'

export type NewKey = {
  accountId: string
  id: string
  name: string
  hash: string
  preview: string
  createdBy: string
  at: number
  expiresAt: number | null
}

/** A key with its moments in milliseconds. */
export type StoredKey = Pick<ApiKey, 'id' | 'name' | 'keyPreview' | 'createdBy' | 'usage'> & {
  createdAt: number
  expiresAt: number | null
  rolledAt: number | null
  lastUsedAt: number | null
}

/** More than any plan allows, with room for the old halves of rolled keys. */
const keysListedMax = 500

const keysOf = (db: Db, accountId: string) =>
  db
    .selectFrom('api_keys')
    .leftJoin('users', 'users.id', 'api_keys.created_by')
    .leftJoin('key_counts', (join) =>
      join
        .onRef('key_counts.account_id', '=', 'api_keys.account_id')
        .onRef('key_counts.key_id', '=', 'api_keys.id'),
    )
    .select([
      'api_keys.id',
      'api_keys.name',
      'api_keys.preview',
      'api_keys.created_at',
      'api_keys.expires_at',
      'api_keys.rolled_at',
      'users.first_name',
      'users.last_name',
      'key_counts.requests',
      'key_counts.active_days',
      'key_counts.last_used_at',
    ])
    .where('api_keys.account_id', '=', accountId)

type Row = Awaited<ReturnType<ReturnType<typeof keysOf>['executeTakeFirstOrThrow']>>

/** Newest first; ids grow with time. */
export async function listKeys(db: Db, accountId: string): Promise<StoredKey[]> {
  const rows = await keysOf(db, accountId).orderBy('api_keys.id', 'desc').limit(keysListedMax).execute()
  return rows.map(toKey)
}

export async function findKey(db: Db, accountId: string, id: string): Promise<StoredKey | undefined> {
  const row = await keysOf(db, accountId).where('api_keys.id', '=', id).executeTakeFirst()
  return row === undefined ? undefined : toKey(row)
}

function toKey(row: Row): StoredKey {
  return {
    id: row.id,
    name: row.name,
    keyPreview: row.preview,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    rolledAt: row.rolled_at,
    lastUsedAt: row.last_used_at,
    createdBy: { name: row.first_name === null ? 'Unknown' : `${row.first_name} ${row.last_name}` },
    usage: { totalRequests: row.requests ?? 0, activeDays: row.active_days ?? 0 },
  }
}

/** Keys that take a place of the plan: neither expired nor the old half of a rolled key. */
export async function countKeys(db: Db, accountId: string, now: number): Promise<number> {
  const { keys } = await db
    .selectFrom('api_keys')
    .select((eb) => eb.fn.countAll<number>().as('keys'))
    .where('account_id', '=', accountId)
    .where('rolled_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirstOrThrow()
  return keys
}

/** Replaced keys that still work. */
export async function countRolledKeys(db: Db, accountId: string, now: number): Promise<number> {
  const { keys } = await db
    .selectFrom('api_keys')
    .select((eb) => eb.fn.countAll<number>().as('keys'))
    .where('account_id', '=', accountId)
    .where('rolled_at', 'is not', null)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return keys
}

export async function insertKey(db: Db, key: NewKey): Promise<void> {
  await db
    .insertInto('api_keys')
    .values({
      account_id: key.accountId,
      id: key.id,
      name: key.name,
      key_hash: key.hash,
      preview: key.preview,
      created_by: key.createdBy,
      created_at: key.at,
      expires_at: key.expiresAt,
    })
    .execute()
}

/** Marks a key as replaced; it works on until `expiresAt`. */
export async function endRolledKey(
  db: Db,
  accountId: string,
  id: string,
  times: { rolledAt: number; expiresAt: number },
): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ rolled_at: times.rolledAt, expires_at: times.expiresAt })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute()
}

/** Answers whether there was such a key. */
export async function deleteKey(db: Db, accountId: string, id: string): Promise<boolean> {
  const result = await db
    .deleteFrom('api_keys')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

/** Deletes keys that ended before a moment, so that the list stays short. */
export async function deleteKeysEndedBefore(db: Db, accountId: string, moment: number): Promise<void> {
  await db
    .deleteFrom('api_keys')
    .where('account_id', '=', accountId)
    .where('expires_at', '<', moment)
    .execute()
}
