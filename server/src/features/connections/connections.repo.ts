import type { MemoryRight } from '@loci/contract/rights'
import type { WritePolicy } from '@loci/contract/write-policy'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { type CamelRow, toCamelRow, toSnakeRow } from '../../store/row-names.ts'
import type { OAuthGrantsTable } from '../../store/schema.ts'
import { readPolicy, writePolicy } from '../../tenancy/auth/write-policy.ts'
import { deleteDoorCalls } from '../../tenancy/usage/door-calls.repo.ts'

/** A client that a user connected to a space. */
export type StoredConnection = Omit<CamelRow<OAuthGrantsTable>, 'scopes' | 'writes' | 'isReadOnly'> & {
  scopes: MemoryRight[]
  writes: WritePolicy
  isReadOnly: boolean
}

/** More than anyone connects. */
export const connectionsListedMax = 500

export async function insertConnection(db: Db, connection: StoredConnection): Promise<void> {
  await db
    .insertInto('oauth_grants')
    .values({
      ...toSnakeRow(connection),
      scopes: JSON.stringify(connection.scopes),
      writes: writePolicy(connection.writes),
      is_read_only: connection.isReadOnly ? 1 : 0,
    })
    .execute()
}

export async function findConnectionRow(
  db: Db,
  accountId: number,
  id: string,
): Promise<StoredConnection | undefined> {
  const row = await db
    .selectFrom('oauth_grants')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toConnection(row)
}

/** Current connections of a user, or of everyone, newest first; ids grow with time. */
export async function listConnectionRows(
  db: Db,
  accountId: number,
  userId: string | undefined,
  now: number,
): Promise<StoredConnection[]> {
  const rows = await db
    .selectFrom('oauth_grants')
    .selectAll()
    .where('account_id', '=', accountId)
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId!))
    .where('expires_at', '>', now)
    .orderBy('id', 'desc')
    .limit(connectionsListedMax)
    .execute()
  return rows.map(toConnection)
}

/** Names and emails of people by user id. */
export async function listPeople(db: Db, userIds: readonly string[]): Promise<Map<string, Person>> {
  const rows = await db
    .selectFrom('users')
    .select(['id as userId', 'email', 'first_name', 'last_name'])
    .where(dialectOf(db).isOneOf('id', userIds))
    .execute()
  return new Map(
    rows.map(({ first_name, last_name, ...user }) => [
      user.userId,
      { ...user, name: `${first_name} ${last_name}`.trim() },
    ]),
  )
}

type Person = { userId: string; name: string; email: string }

export async function listConnectionIds(
  db: Db,
  accountId: number,
  of: { userId: string } | { spaceId: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('oauth_grants')
    .select('id')
    .where('account_id', '=', accountId)
    .where((eb) => ('userId' in of ? eb('user_id', '=', of.userId) : eb('space_id', '=', of.spaceId)))
    .limit(connectionsListedMax)
    .execute()
  return rows.map(({ id }) => id)
}

/** Makes a connection last at least until a time. Returns false if it no longer exists. */
export async function prolongConnection(
  db: Db,
  accountId: number,
  id: string,
  expiresAt: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('oauth_grants')
    .set((eb) => ({
      expires_at: eb
        .case()
        .when('expires_at', '<', expiresAt)
        .then(expiresAt)
        .else(eb.ref('expires_at'))
        .end(),
    }))
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export async function updateConnectionReach(
  db: Db,
  { accountId, id, writes, isReadOnly }: Pick<StoredConnection, 'accountId' | 'id' | 'writes' | 'isReadOnly'>,
): Promise<void> {
  await db
    .updateTable('oauth_grants')
    .set({ writes: writePolicy(writes), is_read_only: isReadOnly ? 1 : 0 })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute()
}

/** Returns whether there was such a connection. */
export async function deleteConnectionRow(db: Db, accountId: number, id: string): Promise<boolean> {
  await deleteDoorCalls(db, accountId, [id])
  const { numDeletedRows } = await db
    .deleteFrom('oauth_grants')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Connections whose last token has expired. */
export async function listEndedConnections(db: Db, now: number, limit: number) {
  return db
    .selectFrom('oauth_grants')
    .select(['account_id as accountId', 'id'])
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(limit)
    .execute()
}

function toConnection(row: OAuthGrantsTable): StoredConnection {
  return {
    ...toCamelRow(row),
    scopes: JSON.parse(row.scopes),
    writes: readPolicy(row.writes),
    isReadOnly: row.is_read_only === 1,
  }
}
