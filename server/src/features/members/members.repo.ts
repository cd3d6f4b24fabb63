import type { Member } from '@loci/contract/members'
import type { Role } from '@loci/contract/rights'
import { toIso } from '../../ground/lib/time.ts'
import { countFound } from '../../store/count-found.ts'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'

/** Maximum number of members; lists are not paged. */
export const membersMax = 500

const membersOf = (db: Db, accountId: number) =>
  db
    .selectFrom('members')
    .select(['user_id as userId', 'role', 'created_at as joinedAt'])
    .where('account_id', '=', accountId)

type Row = { userId: string; role: Role; joinedAt: number }

async function withNames(db: Db, rows: Row[]): Promise<Member[]> {
  const ids = rows.map((row) => row.userId)
  const users = await db
    .selectFrom('users')
    .select(['id', 'email', 'first_name as firstName', 'last_name as lastName'])
    .where(dialectOf(db).isOneOf('id', ids))
    .execute()
  const byId = new Map(users.map(({ id, ...user }) => [id, user]))
  return rows.flatMap(({ joinedAt, ...row }) => {
    const user = byId.get(row.userId)
    return user === undefined ? [] : [{ ...row, ...user, joinedAt: toIso(joinedAt) }]
  })
}

/** Which of these people have a second factor. */
export async function listWithSecondFactor(db: Db, userIds: readonly string[]): Promise<Set<string>> {
  const users = await db
    .selectFrom('users')
    .select('id')
    .where(dialectOf(db).isOneOf('id', userIds))
    .where('second_factor_at', 'is not', null)
    .execute()
  return new Set(users.map(({ id }) => id))
}

/** The members of an account, in the order in which they joined. */
export async function listMemberRows(db: Db, accountId: number): Promise<Member[]> {
  const rows = await membersOf(db, accountId).limit(membersMax).execute()
  return withNames(
    db,
    rows.toSorted((a, b) => a.joinedAt - b.joinedAt || (a.userId < b.userId ? -1 : 1)),
  )
}

export async function findMember(db: Db, accountId: number, userId: string): Promise<Member | undefined> {
  const rows = await membersOf(db, accountId).where('user_id', '=', userId).execute()
  return (await withNames(db, rows))[0]
}

export async function findMemberByEmail(
  db: Db,
  accountId: number,
  email: string,
): Promise<Member | undefined> {
  const user = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()
  return user && findMember(db, accountId, user.id)
}

export async function countMembers(db: Db, accountId: number): Promise<number> {
  return countFound(db.selectFrom('members').where('account_id', '=', accountId))
}

export async function hasOtherOwner(db: Db, accountId: number, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('members')
    .select('user_id')
    .where('account_id', '=', accountId)
    .where('role', '=', 'owner')
    .where('user_id', '<>', userId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function isSuspended(db: Db, accountId: number, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('members')
    .select('suspended_at')
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.suspended_at != null
}

export async function setRole(db: Db, accountId: number, userId: string, role: Role): Promise<void> {
  await db
    .updateTable('members')
    .set({ role })
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .execute()
}
