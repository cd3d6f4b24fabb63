import type { Membership } from '@loci/contract/auth'
import type { Role } from '@loci/contract/rights'
import { AppError } from '../../ground/errors/app-error.ts'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import type { Context } from '../../tenancy/context.ts'
import { accountsPerUserMax, findLastJoin, insertMember } from './users.repo.ts'

type Row = { accountId: number; id: string; role: Role; userId: string; requiresFactor: number }

const membershipsOf = (db: Db, userId: string) =>
  db
    .selectFrom('members')
    .innerJoin('accounts', 'accounts.account_id', 'members.account_id')
    .select(['members.account_id as accountId', 'accounts.id', 'members.role', 'members.user_id as userId'])
    .select('accounts.second_factor_required as requiresFactor')
    .where('members.user_id', '=', userId)

type Memberships = { accounts: Membership[]; requireSecondFactor: boolean }

/** The accounts of a user, in the order in which they joined, and whether any of them requires a second factor. */
export async function listMemberships(db: Db, userId: string): Promise<Memberships> {
  const rows = await membershipsOf(db, userId)
    .orderBy('members.created_at')
    .orderBy('members.account_id')
    .limit(accountsPerUserMax)
    .execute()
  const requireSecondFactor = rows.some(({ requiresFactor }) => requiresFactor === 1)
  return { accounts: await withNames(db, rows), requireSecondFactor }
}

/** Throws `account_not_found`. */
export async function requireMembership(db: Db, accountId: number, userId: string): Promise<Membership> {
  const rows = await membershipsOf(db, userId).where('members.account_id', '=', accountId).execute()
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

async function withNames(db: Db, rows: Row[]): Promise<Membership[]> {
  const names = await nameAccounts(
    db,
    rows.map((row) => row.accountId),
  )
  return rows.map(({ accountId, id, role }) => ({ id, name: names.get(accountId) ?? 'Loci', role }))
}

/** The names of accounts: the given name, or else one derived from the longest-standing owner. */
export async function nameAccounts(db: Db, accountIds: readonly number[]): Promise<Map<number, string>> {
  const given = await listGivenNames(db, accountIds)
  const nameless = accountIds.filter((accountId) => !given.has(accountId))
  return nameless.length === 0 ? given : new Map([...(await nameByOwners(db, nameless)), ...given])
}

async function listGivenNames(db: Db, accountIds: readonly number[]): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('accounts')
    .select(['account_id as accountId', 'name'])
    .where(dialectOf(db).isOneOfNumbers('account_id', accountIds))
    .execute()
  return new Map(rows.flatMap(({ accountId, name }) => (name === null ? [] : [[accountId, name] as const])))
}

async function nameByOwners(db: Db, accountIds: readonly number[]): Promise<Map<number, string>> {
  const owners = await db
    .selectFrom('members')
    .select(['account_id as accountId', 'user_id as userId'])
    .where(dialectOf(db).isOneOfNumbers('account_id', accountIds))
    .where('role', '=', 'owner')
    .orderBy('created_at', 'desc')
    .limit(accountIds.length * accountsPerUserMax)
    .execute()
  const users = await db
    .selectFrom('users')
    .select(['id', 'first_name', 'last_name'])
    .where(dialectOf(db).isOneOf('id', [...new Set(owners.map((owner) => owner.userId))]))
    .execute()
  const nameOf = new Map(users.map((user) => [user.id, `${user.first_name} ${user.last_name}`]))
  return new Map(owners.map(({ accountId, userId }) => [accountId, nameOf.get(userId) ?? 'Loci']))
}
