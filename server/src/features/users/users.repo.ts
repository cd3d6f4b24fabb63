import type { User } from '@loci/contract/auth'
import type { Role } from '@loci/contract/rights'
import { toIso } from '../../ground/lib/time.ts'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { type CamelRow, toSnakeRow } from '../../store/row-names.ts'
import type { UsersTable } from '../../store/schema.ts'
import {
  accountsPerUserMax,
  changeAccountIds,
  listAccountsOfUser,
  readAccountIds,
} from '../../tenancy/auth/accounts-of-user.repo.ts'

/** A user in an account, with secrets in their stored form. */
export type StoredUser = Omit<User, 'apiKey' | 'lastSeq' | 'accounts' | 'secondFactor' | 'apiKeyWithheld'> & {
  /** The account's number; `accountId` is what callers see. */
  accountNumber: number
  /** Numbers of all accounts of the user, in ascending order. */
  accountIds: number[]
  /** When the operator suspended them; null otherwise. */
  suspendedAt: number | null
  /** Since when the password alone is not enough to sign in; null while it is. */
  secondFactorSince: number | null
  passwordHash: string
  personalKeyEncrypted: string
}

export type NewUser = CamelRow<
  Pick<
    UsersTable,
    | 'id'
    | 'email'
    | 'password_hash'
    | 'first_name'
    | 'last_name'
    | 'personal_key_hash'
    | 'personal_key_encrypted'
    | 'created_at'
  >
>

const usersOf = (db: Db) =>
  db
    .selectFrom('users')
    .select([
      'id',
      'email',
      'password_hash',
      'first_name',
      'last_name',
      'personal_key_encrypted',
      'created_at',
      'email_verified_at',
      'second_factor_at',
      'account_ids',
    ])

const membersOf = (db: Db) =>
  db
    .selectFrom('members')
    .innerJoin('accounts', 'accounts.account_id', 'members.account_id')
    .select([
      'members.user_id',
      'members.account_id as accountNumber',
      'accounts.id as accountId',
      'members.role',
      'members.created_at as since',
      'members.suspended_at as suspendedAt',
      'accounts.second_factor_required as secondFactorRequired',
    ])

type UserRow = Awaited<ReturnType<ReturnType<typeof usersOf>['executeTakeFirstOrThrow']>>
type MemberRow = Awaited<ReturnType<ReturnType<typeof membersOf>['executeTakeFirstOrThrow']>>

/** A user by email, in the account that they joined first. */
export async function findUserByEmail(db: Db, email: string): Promise<StoredUser | undefined> {
  return inFirstAccount(db, await usersOf(db).where('email', '=', email).executeTakeFirst())
}

/** A user in the account that they joined first. */
export async function findUserInFirstAccount(db: Db, userId: string): Promise<StoredUser | undefined> {
  return inFirstAccount(db, await usersOf(db).where('id', '=', userId).executeTakeFirst())
}

async function inFirstAccount(db: Db, user: UserRow | undefined): Promise<StoredUser | undefined> {
  if (user === undefined) return undefined
  const member = await membersOf(db)
    .where(dialectOf(db).isOneOfNumbers('members.account_id', readAccountIds(user)))
    .where('members.user_id', '=', user.id)
    .orderBy('members.created_at')
    .orderBy('members.account_id')
    .limit(1)
    .executeTakeFirst()
  return member && toUser(user, member)
}

export async function findUser(db: Db, accountId: number, userId: string): Promise<StoredUser | undefined> {
  const member = await membersOf(db)
    .where('members.account_id', '=', accountId)
    .where('members.user_id', '=', userId)
    .executeTakeFirst()
  const user = await usersOf(db).where('id', '=', userId).executeTakeFirst()
  return member && user && toUser(user, member)
}

/** A person whatever the account; locks the row until the end of the transaction. */
export async function lockUser(
  db: Db,
  userId: string,
): Promise<Pick<StoredUser, 'passwordHash' | 'secondFactorSince' | 'accountIds'> | undefined> {
  const row = await usersOf(db).where('id', '=', userId).modifyEnd(dialectOf(db).forUpdate).executeTakeFirst()
  return row && personOf(row)
}

/** All users in order of id, after `after`, each in the account that they joined first. */
export async function listAllUsers(db: Db, after: string, limit: number): Promise<StoredUser[]> {
  const users = await usersOf(db).where('id', '>', after).orderBy('id').limit(limit).execute()
  const ids = users.map((user) => user.id)
  const dialect = dialectOf(db)
  const members = await membersOf(db)
    .where(dialect.isOneOfNumbers('members.account_id', [...new Set(users.flatMap(readAccountIds))]))
    .where(dialect.isOneOf('members.user_id', ids))
    .limit(limit * accountsPerUserMax)
    .execute()
  const first = new Map<string, MemberRow>()
  for (const member of members) {
    const known = first.get(member.user_id)
    if (known === undefined || member.since < known.since) first.set(member.user_id, member)
  }
  return users.flatMap((user) => {
    const member = first.get(user.id)
    return member === undefined ? [] : [toUser(user, member)]
  })
}

/** At most `limit` members of an account. */
export async function listMemberIds(db: Db, accountId: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('members')
    .select('user_id')
    .where('account_id', '=', accountId)
    .orderBy('user_id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.user_id)
}

export async function insertUser(db: Db, user: NewUser): Promise<void> {
  await db
    .insertInto('users')
    .values({ ...toSnakeRow(user), account_ids: '[]' })
    .execute()
}

export async function updateUser(
  db: Db,
  userId: string,
  fields: Partial<Omit<NewUser, 'id' | 'email' | 'createdAt'> & { emailVerifiedAt: number }>,
): Promise<void> {
  await db.updateTable('users').set(toSnakeRow(fields)).where('id', '=', userId).execute()
}

/** Hash of a user's personal key; locks the row until the end of the transaction, to serialise replacements. */
export async function lockPersonalKey(db: Db, userId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('users')
    .select('personal_key_hash')
    .where('id', '=', userId)
    .modifyEnd(dialectOf(db).forUpdate)
    .executeTakeFirst()
  return row?.personal_key_hash
}

/** Moves a user's personal key from one of their accounts to another. */
export async function movePersonalKey(
  db: Db,
  userId: string,
  { from, to }: { from: number; to: number },
): Promise<void> {
  await db
    .updateTable('credentials')
    .set({ account_id: to })
    .where('account_id', '=', from)
    .where('hash', '=', (eb) => eb.selectFrom('users').select('personal_key_hash').where('id', '=', userId))
    .execute()
}

export async function deletePersonalKey(db: Db, userId: string): Promise<void> {
  await db
    .deleteFrom('credentials')
    .where('hash', '=', (eb) => eb.selectFrom('users').select('personal_key_hash').where('id', '=', userId))
    .execute()
}

export async function deleteUser(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('users').where('id', '=', userId).execute()
}

/** When a user last joined an account; 0 if they have none. */
export async function findLastJoin(db: Db, userId: string): Promise<number> {
  const row = await db
    .selectFrom('members')
    .select((eb) => eb.fn.max('created_at').as('last'))
    .where(dialectOf(db).isOneOfNumbers('account_id', await listAccountsOfUser(db, userId)))
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return Number(row?.last ?? 0)
}

/** Must be called in a transaction. */
export async function insertMember(
  db: Db,
  member: { accountId: number; userId: string; role: Role; createdAt: number },
): Promise<void> {
  await db
    .insertInto('members')
    .values({
      account_id: member.accountId,
      user_id: member.userId,
      role: member.role,
      created_at: member.createdAt,
    })
    .execute()
  await changeAccountIds(db, member.userId, (ids) => [...ids, member.accountId])
}

/** Whether a user is a member and not suspended; locks the row until the end of the transaction. */
export async function lockMember(db: Db, accountId: number, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('members')
    .select('user_id')
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .where('suspended_at', 'is', null)
    .modifyEnd(dialectOf(db).forUpdate)
    .executeTakeFirst()
  return row !== undefined
}

/** Suspends a user in all their accounts; null ends the suspension. */
export async function setSuspended(db: Db, userId: string, suspendedAt: number | null): Promise<void> {
  await db
    .updateTable('members')
    .set({ suspended_at: suspendedAt })
    .where(dialectOf(db).isOneOfNumbers('account_id', await listAccountsOfUser(db, userId)))
    .where('user_id', '=', userId)
    .execute()
}

/** The longest-standing owner of each of these accounts, by account number. */
export async function listOwners(
  db: Db,
  accountIds: readonly number[],
): Promise<Map<number, { email: string; suspendedAt: number | null }>> {
  const dialect = dialectOf(db)
  const members = await db
    .selectFrom('members')
    .select(['account_id', 'user_id', 'suspended_at'])
    .where(dialect.isOneOfNumbers('account_id', accountIds))
    .where('role', '=', 'owner')
    .orderBy('created_at', 'desc')
    .limit(accountIds.length * accountsPerUserMax)
    .execute()
  const ids = [...new Set(members.map((member) => member.user_id))]
  const rows = await db
    .selectFrom('users')
    .select(['id', 'email'])
    .where(dialect.isOneOf('id', ids))
    .execute()
  const emails = new Map(rows.map((row) => [row.id, row.email]))
  return new Map(
    members.map((member) => [
      member.account_id,
      { email: emails.get(member.user_id) ?? '', suspendedAt: member.suspended_at },
    ]),
  )
}

/** Must be called in a transaction. */
export async function deleteMember(db: Db, accountId: number, userId: string): Promise<void> {
  await db.deleteFrom('members').where('account_id', '=', accountId).where('user_id', '=', userId).execute()
  await changeAccountIds(db, userId, (ids) => ids.filter((id) => id !== accountId))
}

const personOf = (user: UserRow) => ({
  id: user.id,
  email: user.email,
  firstName: user.first_name,
  lastName: user.last_name,
  emailVerified: user.email_verified_at !== null,
  accountIds: readAccountIds(user),
  secondFactorSince: user.second_factor_at,
  createdAt: toIso(user.created_at),
  passwordHash: user.password_hash,
  personalKeyEncrypted: user.personal_key_encrypted,
})

function toUser(user: UserRow, member: MemberRow): StoredUser {
  return {
    ...personOf(user),
    role: member.role,
    accountId: member.accountId,
    accountNumber: member.accountNumber,
    suspendedAt: member.suspendedAt,
    secondFactorRequired: member.secondFactorRequired === 1,
  }
}
