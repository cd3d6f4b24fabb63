import type { Door } from '@loci/contract/doors'
import type { ApiKey } from '@loci/contract/keys'
import type { KeyRight } from '@loci/contract/rights'
import type { WritePolicy } from '@loci/contract/write-policy'
import { countFound } from '../../store/count-found.ts'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { deleteCredentials, insertCredential, setCredentialEnd } from '../../tenancy/auth/credentials.repo.ts'
import { readPolicy, writePolicy } from '../../tenancy/auth/write-policy.ts'
import { deleteDoorCalls } from '../../tenancy/usage/door-calls.repo.ts'

export type NewKey = {
  accountId: number
  id: string
  name: string
  hash: string
  preview: string
  createdBy: string
  at: number
  expiresAt: number | null
  /** Empty: all. */
  permissions: readonly KeyRight[]
  /** Numbers; null for all. */
  spaces: readonly number[] | null
  writes: WritePolicy
  /** By space number. */
  doors?: Readonly<Record<number, Door>>
}

/** A key with its times in milliseconds. */
export type StoredKey = Pick<
  ApiKey,
  'id' | 'name' | 'keyPreview' | 'usage' | 'permissions' | 'writes' | 'lastOperation'
> & {
  hash: string
  /** Numbers; null for all. */
  spaces: number[] | null
  /** By space number. */
  doors: Readonly<Record<number, Door>>
  createdBy: string
  createdAt: number
  expiresAt: number | null
  rolledAt: number | null
  lastUsedAt: number | null
}

/** More than an account can have, including rolled keys that still work. */
const keysListedMax = 500

const keysOf = (db: Db, accountId: number) =>
  db
    .selectFrom('api_keys')
    .leftJoin('key_counts', (join) =>
      join
        .onRef('key_counts.account_id', '=', 'api_keys.account_id')
        .onRef('key_counts.key_id', '=', 'api_keys.id'),
    )
    .select([
      'api_keys.id',
      'api_keys.name',
      'api_keys.preview',
      'api_keys.key_hash',
      'api_keys.created_by',
      'api_keys.created_at',
      'api_keys.expires_at',
      'api_keys.rolled_at',
      'api_keys.permissions',
      'api_keys.spaces',
      'api_keys.writes',
      'api_keys.doors',
      'key_counts.requests',
      'key_counts.active_days',
      'key_counts.last_used_at',
      'key_counts.last_operation',
      'key_counts.last_resource',
    ])
    .where('api_keys.account_id', '=', accountId)

type Row = Awaited<ReturnType<ReturnType<typeof keysOf>['executeTakeFirstOrThrow']>>

/** Newest first; ids grow with time. With `maker`, only the keys that this user created. */
export async function listKeyRows(db: Db, accountId: number, maker?: string): Promise<StoredKey[]> {
  const rows = await keysOf(db, accountId)
    .$if(maker !== undefined, (query) => query.where('api_keys.created_by', '=', maker!))
    .orderBy('api_keys.id', 'desc')
    .limit(keysListedMax)
    .execute()
  return rows.map(toKey)
}

export async function findKey(db: Db, accountId: number, id: string): Promise<StoredKey | undefined> {
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
    hash: row.key_hash,
    createdBy: row.created_by,
    permissions: row.permissions === null ? [] : JSON.parse(row.permissions),
    spaces: row.spaces === null ? null : JSON.parse(row.spaces),
    writes: readPolicy(row.writes),
    doors: row.doors === null ? {} : JSON.parse(row.doors),
    lastOperation:
      row.last_operation === null ? null : { type: row.last_operation, resource: row.last_resource! },
    usage: { totalRequests: row.requests ?? 0, activeDays: row.active_days ?? 0 },
  }
}

/** Keys that count towards the plan's limit: neither expired nor replaced by a roll. */
export async function countKeyRows(db: Db, accountId: number, now: number): Promise<number> {
  return countFound(
    db
      .selectFrom('api_keys')
      .where('account_id', '=', accountId)
      .where('rolled_at', 'is', null)
      .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)])),
  )
}

/** Replaced keys that still work. */
export async function countRolledKeys(db: Db, accountId: number, now: number): Promise<number> {
  return countFound(
    db
      .selectFrom('api_keys')
      .where('account_id', '=', accountId)
      .where('rolled_at', 'is not', null)
      .where('expires_at', '>', now),
  )
}

export async function insertKey(db: Db, key: NewKey): Promise<void> {
  const { hash, accountId, id, expiresAt } = key
  await insertCredential(db, { hash, kind: 'api_key', accountId, subject: id, expiresAt })
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
      permissions: key.permissions.length === 0 ? null : JSON.stringify(key.permissions),
      spaces: key.spaces === null ? null : JSON.stringify(key.spaces),
      writes: writePolicy(key.writes),
      doors: storedDoors(key.doors),
    })
    .execute()
}

/** Marks a key as replaced; it keeps working until `expiresAt`. */
export async function endRolledKey(
  db: Db,
  accountId: number,
  { id, hash }: Pick<StoredKey, 'id' | 'hash'>,
  times: { rolledAt: number; expiresAt: number },
): Promise<void> {
  await setCredentialEnd(db, hash, times.expiresAt)
  await db
    .updateTable('api_keys')
    .set({ rolled_at: times.rolledAt, expires_at: times.expiresAt })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute()
}

const storedDoors = (doors: NewKey['doors'] = {}) =>
  Object.keys(doors).length === 0 ? null : JSON.stringify(doors)

export async function updateKeyReach(
  db: Db,
  accountId: number,
  { id, writes, spaces, doors }: Pick<StoredKey, 'id' | 'writes' | 'spaces' | 'doors'>,
): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({
      writes: writePolicy(writes),
      spaces: spaces === null ? null : JSON.stringify(spaces),
      doors: storedDoors(doors),
    })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute()
}

export async function deleteKeyRow(
  db: Db,
  accountId: number,
  { id, hash }: Pick<StoredKey, 'id' | 'hash'>,
): Promise<void> {
  await deleteKeys(db, accountId, [{ id, key_hash: hash }])
}

/** Deletes the keys that a user created. */
export async function deleteKeyRowsOf(db: Db, accountId: number, userId: string): Promise<void> {
  for (;;) {
    const made = await db
      .selectFrom('api_keys')
      .select(['id', 'key_hash'])
      .where('account_id', '=', accountId)
      .where('created_by', '=', userId)
      .limit(keysListedMax)
      .execute()
    await deleteKeys(db, accountId, made)
    if (made.length < keysListedMax) return
  }
}

/** Deletes keys that ended before `moment`, so that the list stays short. */
export async function deleteKeysEndedBefore(db: Db, accountId: number, moment: number): Promise<void> {
  const ended = await db
    .selectFrom('api_keys')
    .select(['id', 'key_hash'])
    .where('account_id', '=', accountId)
    .where('expires_at', '<', moment)
    .limit(keysListedMax)
    .execute()
  await deleteKeys(db, accountId, ended)
}

/** Deletes keys and the credentials that lead to them. */
async function deleteKeys(
  db: Db,
  accountId: number,
  keys: { id: string; key_hash: string }[],
): Promise<void> {
  const dialect = dialectOf(db)
  if (keys.length === 0) return
  const ids = keys.map((key) => key.id)
  await deleteCredentials(
    db,
    keys.map((key) => key.key_hash),
  )
  await db
    .deleteFrom('api_keys')
    .where('account_id', '=', accountId)
    .where(dialect.isOneOf('id', ids))
    .execute()
  await deleteDoorCalls(db, accountId, ids)
  for (const table of ['key_counts', 'key_days'] as const) {
    await db
      .deleteFrom(table)
      .where('account_id', '=', accountId)
      .where(dialect.isOneOf('key_id', ids))
      .execute()
  }
}
