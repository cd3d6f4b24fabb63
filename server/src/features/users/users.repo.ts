import type { Role, User } from '@loci/contract/auth'
import { defaultSpaceId } from '../../auth/actor.ts'
import type { Db } from '../../db/db.ts'
import { toIso } from '../../lib/time.ts'

/** A user in an account, with the secrets' stored forms. */
export type StoredUser = Omit<User, 'apiKey' | 'lastSeq'> & {
  passwordHash: string
  personalKeyEncrypted: string
}

export type NewUser = {
  id: string
  email: string
  passwordHash: string
  firstName: string
  lastName: string
  personalKeyHash: string
  personalKeyEncrypted: string
  createdAt: number
}

const usersWithAccount = (db: Db) =>
  db
    .selectFrom('users')
    .innerJoin('members', 'members.user_id', 'users.id')
    .select([
      'users.id',
      'users.email',
      'users.password_hash',
      'users.first_name',
      'users.last_name',
      'users.personal_key_encrypted',
      'users.created_at',
      'members.account_id',
      'members.role',
    ])

/** A user by email, in the account that they joined first. */
export async function findUserByEmail(db: Db, email: string): Promise<StoredUser | undefined> {
  const row = await usersWithAccount(db)
    .where('users.email', '=', email)
    .orderBy('members.created_at')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? undefined : toUser(row)
}

export async function findUser(db: Db, accountId: string, userId: string): Promise<StoredUser | undefined> {
  const row = await usersWithAccount(db)
    .where('members.account_id', '=', accountId)
    .where('users.id', '=', userId)
    .executeTakeFirst()
  return row === undefined ? undefined : toUser(row)
}

/** Oldest first, after the id `after`: for the command line, across all accounts. */
export async function listAllUsers(db: Db, after: string, limit: number): Promise<StoredUser[]> {
  const rows = await usersWithAccount(db)
    .where('users.id', '>', after)
    .orderBy('users.id')
    .limit(limit)
    .execute()
  return rows.map(toUser)
}

export async function insertUser(db: Db, user: NewUser): Promise<void> {
  await db
    .insertInto('users')
    .values({
      id: user.id,
      email: user.email,
      password_hash: user.passwordHash,
      first_name: user.firstName,
      last_name: user.lastName,
      personal_key_hash: user.personalKeyHash,
      personal_key_encrypted: user.personalKeyEncrypted,
      created_at: user.createdAt,
    })
    .execute()
}

export async function updateUser(
  db: Db,
  userId: string,
  fields: {
    firstName?: string
    lastName?: string
    passwordHash?: string
    personalKeyHash?: string
    personalKeyEncrypted?: string
  },
): Promise<void> {
  await db
    .updateTable('users')
    .set({
      ...(fields.firstName === undefined ? {} : { first_name: fields.firstName }),
      ...(fields.lastName === undefined ? {} : { last_name: fields.lastName }),
      ...(fields.passwordHash === undefined ? {} : { password_hash: fields.passwordHash }),
      ...(fields.personalKeyHash === undefined ? {} : { personal_key_hash: fields.personalKeyHash }),
      ...(fields.personalKeyEncrypted === undefined
        ? {}
        : { personal_key_encrypted: fields.personalKeyEncrypted }),
    })
    .where('id', '=', userId)
    .execute()
}

/** An account with its default space and counters at zero. */
export async function insertAccount(
  db: Db,
  account: { id: string; plan: string; unclaimed: boolean; createdAt: number },
): Promise<void> {
  await db
    .insertInto('accounts')
    .values({
      id: account.id,
      plan: account.plan,
      unclaimed: account.unclaimed ? 1 : 0,
      created_at: account.createdAt,
    })
    .execute()
  await db.insertInto('account_counters').values({ account_id: account.id, entities: 0 }).execute()
  const space = { account_id: account.id, id: defaultSpaceId }
  await db
    .insertInto('spaces')
    .values({ ...space, name: 'Default', created_at: account.createdAt })
    .execute()
  await db
    .insertInto('space_counters')
    .values({
      account_id: account.id,
      space_id: defaultSpaceId,
      entities: 0,
      relations: 0,
      observations: 0,
      seq: 0,
    })
    .execute()
}

export async function insertMember(
  db: Db,
  member: { accountId: string; userId: string; role: Role; createdAt: number },
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
}

/** The account that `loci mcp` made before anyone signed up, if there is one. */
export async function findUnclaimedAccount(db: Db): Promise<string | undefined> {
  const row = await db
    .selectFrom('accounts')
    .select('id')
    .where('unclaimed', '=', 1)
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

export async function claimAccount(db: Db, accountId: string): Promise<void> {
  await db.updateTable('accounts').set({ unclaimed: 0 }).where('id', '=', accountId).execute()
}

/** Ids of accounts, oldest first, at most `limit`. */
export async function listAccountIds(db: Db, limit: number): Promise<string[]> {
  const rows = await db.selectFrom('accounts').select('id').orderBy('id').limit(limit).execute()
  return rows.map((row) => row.id)
}

/** Deletes an account and, by the foreign keys, all that belongs to it. */
export async function deleteAccountRow(db: Db, accountId: string): Promise<void> {
  await db.deleteFrom('accounts').where('id', '=', accountId).execute()
}

/** Deletes the users who are members of this account and of no other. */
export async function deleteUsersOfAccount(db: Db, accountId: string): Promise<void> {
  await db
    .deleteFrom('users')
    .where('id', 'in', (eb) => eb.selectFrom('members').select('user_id').where('account_id', '=', accountId))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('members')
            .select('user_id')
            .whereRef('user_id', '=', 'users.id')
            .where('account_id', '!=', accountId),
        ),
      ),
    )
    .execute()
}

type Row = {
  id: string
  email: string
  password_hash: string
  first_name: string
  last_name: string
  personal_key_encrypted: string
  created_at: number
  account_id: string
  role: Role
}

function toUser(row: Row): StoredUser {
  return {
    id: row.id,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    role: row.role,
    accountId: row.account_id,
    createdAt: toIso(row.created_at),
    passwordHash: row.password_hash,
    personalKeyEncrypted: row.personal_key_encrypted,
  }
}
