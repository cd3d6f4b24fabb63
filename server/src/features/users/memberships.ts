import type { Membership } from '@loci/contract/auth'
import type { Role } from '@loci/contract/rights'
import { AppError } from '../../ground/errors/app-error.ts'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { accountsPerUserMax } from '../../tenancy/auth/accounts-of-user.repo.ts'
import type { Context } from '../../tenancy/context.ts'
import { findLastJoin, insertMember, type StoredUser } from './users.repo.ts'

/** What is known of a person without asking for it. */
type Person = Pick<StoredUser, 'id' | 'accountIds' | 'firstName' | 'lastName'>

const membershipsOf = (db: Db, userId: string, accountIds: readonly number[]) =>
  db
    .selectFrom('members')
    .innerJoin('accounts', 'accounts.account_id', 'members.account_id')
    .select(['members.account_id as accountId', 'members.role'])
    .select(['accounts.id', 'accounts.name', 'accounts.second_factor_required as requiresFactor'])
    .where(dialectOf(db).isOneOfNumbers('members.account_id', accountIds))
    .where('members.user_id', '=', userId)

type Row = Awaited<ReturnType<ReturnType<typeof membershipsOf>['executeTakeFirstOrThrow']>>
type Memberships = { accounts: Membership[]; requireSecondFactor: boolean }

/** The accounts of a user, in the order in which they joined, and whether any of them requires a second factor. */
export async function listMemberships(db: Db, user: Person): Promise<Memberships> {
  const rows = await membershipsOf(db, user.id, user.accountIds)
    .orderBy('members.created_at')
    .orderBy('members.account_id')
    .limit(accountsPerUserMax)
    .execute()
  const requireSecondFactor = rows.some(({ requiresFactor }) => requiresFactor === 1)
  return { accounts: await withNames(db, rows, user), requireSecondFactor }
}

/** Throws `account_not_found`. */
export async function requireMembership(db: Db, accountId: number, userId: string): Promise<Membership> {
  const rows = await membershipsOf(db, userId, [accountId]).execute()
  const [membership] = await withNames(db, rows)
  if (membership === undefined) throw new AppError('account_not_found', 'Account not found')
  return membership
}

/** Makes a user a member. Must be called in a transaction. */
export async function joinAccount(
  { db, now }: Pick<Context, 'db' | 'now'>,
  member: { accountId: number; userId: string; role: Role },
): Promise<void> {
  // Later than their other accounts, so that the first one stays first.
  const createdAt = Math.max(now(), (await findLastJoin(db, member.userId)) + 1)
  await insertMember(db, { ...member, createdAt })
}

async function withNames(db: Db, rows: Row[], known?: Person): Promise<Membership[]> {
  const nameless = rows.flatMap(({ accountId, name }) => (name === null ? [accountId] : []))
  const byOwners = await nameByOwners(db, nameless, known)
  return rows.map(({ accountId, id, name, role }) => ({
    id,
    name: name ?? byOwners.get(accountId) ?? 'Loci',
    role,
  }))
}

const fullNameOf = ({ firstName, lastName }: Pick<StoredUser, 'firstName' | 'lastName'>) =>
  `${firstName} ${lastName}`

/** The names of accounts: the given name, or else one derived from the longest-standing owner. */
export async function nameAccounts(db: Db, accountIds: readonly number[]): Promise<Map<number, string>> {
  const given = await listGivenNames(db, accountIds)
  const nameless = accountIds.filter((accountId) => !given.has(accountId))
  return new Map([...(await nameByOwners(db, nameless)), ...given])
}

async function listGivenNames(db: Db, accountIds: readonly number[]): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('accounts')
    .select(['account_id as accountId', 'name'])
    .where(dialectOf(db).isOneOfNumbers('account_id', accountIds))
    .execute()
  return new Map(rows.flatMap(({ accountId, name }) => (name === null ? [] : [[accountId, name] as const])))
}

async function nameByOwners(
  db: Db,
  accountIds: readonly number[],
  known?: Person,
): Promise<Map<number, string>> {
  if (accountIds.length === 0) return new Map()
  const owners = await db
    .selectFrom('members')
    .select(['account_id as accountId', 'user_id as userId'])
    .where(dialectOf(db).isOneOfNumbers('account_id', accountIds))
    .where('role', '=', 'owner')
    .orderBy('created_at', 'desc')
    .limit(accountIds.length * accountsPerUserMax)
    .execute()
  const nameOf = new Map<string, string>()
  if (known !== undefined) nameOf.set(known.id, fullNameOf(known))
  const asked = new Set(owners.map((owner) => owner.userId))
  const others = [...asked].filter((id) => !nameOf.has(id))
  for (const user of await listNames(db, others)) nameOf.set(user.id, fullNameOf(user))
  return new Map(owners.map(({ accountId, userId }) => [accountId, nameOf.get(userId) ?? 'Loci']))
}

async function listNames(db: Db, ids: string[]) {
  if (ids.length === 0) return []
  return db
    .selectFrom('users')
    .select(['id', 'first_name as firstName', 'last_name as lastName'])
    .where(dialectOf(db).isOneOf('id', ids))
    .execute()
}
