import { type RawBuilder, sql } from 'kysely'
import { sha256 } from '../../ground/lib/secrets.ts'
import type { Db } from '../../store/db.ts'
import { prepared, statement } from '../../store/prepared.ts'
import type { Database, OAuthTokenKind } from '../../store/schema.ts'
import type { Credential } from '../../tenancy/auth/credentials.repo.ts'
import { subjectOfShare } from '../../tenancy/auth/share-subjects.ts'
import { type Accounts, withinAccounts } from './checked-part.repo.ts'

/** Rows of the accounts up to `last`, after the row at `place` of the account `account`. */
export type ProofsPage = { account: number; place: string; last: number; limit: number }
/** A credential as derived from its row, with the row's sort position among its kind and account. */
export type Proof = Credential & { place: string }

/** The tables of the rows that credentials prove; links and pending sign-ins exist only as credentials. */
const tableOf: Record<Credential['kind'], keyof Database> = {
  session: 'sessions',
  api_key: 'api_keys',
  personal_key: 'members',
  oauth_code: 'oauth_tokens',
  oauth_access: 'oauth_tokens',
  oauth_refresh: 'oauth_tokens',
  checkout: 'checkouts',
  invoice: 'invoices',
  customer: 'subscriptions',
  invitation: 'invitations',
  share: 'shares',
  password_reset: 'credentials',
  email: 'credentials',
  second_step: 'credentials',
}
const kinds = Object.keys(tableOf) as Credential['kind'][]
const kindsWithRows = kinds.filter((kind) => tableOf[kind] !== 'credentials')

const selectKinds = prepared((db: Db, accounts: Accounts) =>
  statement<{ kinds: string }>(
    db,
    sql`select ${sql.join(
      kindsWithRows.map(
        (kind) => sql`case when exists (select 1 from ${sql.table(tableOf[kind])} as t
          where ${withinAccounts(accounts)('t')}) then ${sql.lit(`${kind} `)} else '' end`,
      ),
      sql` || `,
    )} as kinds`,
  ),
)

export type UnknowingMember = { accountId: number; userId: string }

const selectUnknowing = prepared((db: Db, accounts: Accounts) =>
  statement<UnknowingMember>(
    db,
    sql`select m.account_id as ${sql.ref('accountId')}, m.user_id as ${sql.ref('userId')}
      from members as m join users as u on u.id = m.user_id where ${withinAccounts(accounts)('m')}
        and replace(replace(u.account_ids, '[', ','), ']', ',') not like '%,' || m.account_id || ',%'`,
  ),
)

/** Members whose own row does not name the account, so that signing in does not find it. */
export async function listUnknowingMembers(db: Db, accounts: Accounts): Promise<UnknowingMember[]> {
  return selectUnknowing(db, accounts)
}

/** The kinds of credentials that accounts with those `stored` can have, since most have few of them. */
export async function listKinds(
  db: Db,
  accounts: Accounts,
  stored: Iterable<Credential>,
): Promise<Credential['kind'][]> {
  const [row] = await selectKinds(db, accounts)
  const found = new Set(row?.kinds.split(' '))
  for (const { kind } of stored) found.add(kind)
  return kinds.filter((kind) => found.has(kind))
}

type Row = {
  accountId: number
  place: string
  subject: string
  secret: string
  expiresAt: number | null
  spaceId: number
}
/** Where the rows of a kind are (`t`), their position, what they prove, and their secret or its hash. */
type Proving = {
  from: RawBuilder<unknown> | ((page: ProofsPage) => RawBuilder<unknown>)
  place: string
  subject: string
  secret: string
  expiresAt?: string
  spaceId?: string
}

const ofKind = (kind: Credential['kind']) => sql`and t.kind = ${sql.lit(kind)}`
const tokensOf = (kind: OAuthTokenKind): Proving => ({
  from: sql`oauth_tokens as t where true ${ofKind(kind)}`,
  place: 'hash',
  subject: 'grant_id',
  secret: 'hash',
  expiresAt: 'expires_at',
})
/**
 * Links for members, and pending sign-ins, exist only as credentials. On a cluster those lie elsewhere than the members,
 * so they are collected first.
 */
const linksOf = (kind: Credential['kind']): Proving => ({
  from: ({ account, last }) => sql`(with links as materialized (
      select account_id, hash, subject, expires_at from credentials as t
      where t.account_id between ${account} and ${last} ${ofKind(kind)})
    select links.* from links join members as m
      on m.account_id = links.account_id and m.user_id = links.subject) as t where true`,
  place: 'hash',
  subject: 'subject',
  secret: 'hash',
  expiresAt: 'expires_at',
})
const rowsOf = (table: keyof Database) => sql`${sql.table(table)} as t where true`

const proving: Record<Credential['kind'], Proving> = {
  session: {
    from: rowsOf('sessions'),
    place: 'id',
    subject: 'id',
    secret: 'token_hash',
    expiresAt: 'expires_at',
  },
  api_key: {
    from: rowsOf('api_keys'),
    place: 'id',
    subject: 'id',
    secret: 'key_hash',
    expiresAt: 'expires_at',
  },
  personal_key: {
    from: sql`(select m.account_id, m.user_id, u.personal_key_hash from members as m
      join users as u on u.id = m.user_id) as t where true`,
    place: 'user_id',
    subject: 'user_id',
    secret: 'personal_key_hash',
  },
  oauth_code: tokensOf('oauth_code'),
  oauth_access: tokensOf('oauth_access'),
  oauth_refresh: tokensOf('oauth_refresh'),
  checkout: {
    from: rowsOf('checkouts'),
    place: 'token_hash',
    subject: 'token_hash',
    secret: 'token_hash',
    expiresAt: 'expires_at',
  },
  invoice: {
    from: sql`invoices as t where substr(t.hosted_url, 1, 1) = '/'`,
    place: 'id',
    subject: 'id',
    secret: 'hosted_url',
  },
  customer: {
    from: sql`subscriptions as t where t.customer_id is not null`,
    place: 'customer_id',
    subject: 'customer_id',
    secret: 'customer_id',
  },
  invitation: {
    from: rowsOf('invitations'),
    place: 'id',
    subject: 'id',
    secret: 'token_hash',
    expiresAt: 'expires_at',
  },
  share: {
    from: rowsOf('shares'),
    place: 'token_hash',
    subject: 'id',
    secret: 'token_hash',
    expiresAt: 'expires_at',
    spaceId: 'space_id',
  },
  password_reset: linksOf('password_reset'),
  email: linksOf('email'),
  second_step: linksOf('second_step'),
}

function selectProofs(kind: Credential['kind']) {
  const { from, place, subject, secret, expiresAt, spaceId } = proving[kind]
  const column = (name: string | undefined) => (name === undefined ? sql`null` : sql.ref(`t.${name}`))
  return prepared((db: Db, page: ProofsPage) => {
    const { account, place: after, last, limit } = page
    return statement<Row>(
      db,
      sql`select t.account_id as "accountId", ${column(place)} as place, ${column(subject)} as subject,
        ${column(secret)} as secret, ${column(expiresAt)} as "expiresAt", ${column(spaceId)} as "spaceId"
      from ${typeof from === 'function' ? from(page) : from} and (t.account_id, ${column(place)}) > (${account}, ${after}) and t.account_id <= ${last}
      order by t.account_id, ${column(place)} limit ${limit}`,
    )
  })
}

const selects = new Map(kinds.map((kind) => [kind, selectProofs(kind)]))

/** Lists the credentials of a kind that the rows of accounts should have, in order of their position. */
export async function listProofs(db: Db, kind: Credential['kind'], page: ProofsPage): Promise<Proof[]> {
  const rows = await selects.get(kind)!(db, page)
  return rows.map(({ accountId, place, subject, secret, expiresAt, spaceId }) => ({
    kind,
    ...{ accountId, place, expiresAt },
    subject: kind === 'share' ? subjectOfShare(spaceId, subject) : subject,
    hash: kind === 'invoice' || kind === 'customer' ? sha256(secret) : secret,
  }))
}

/** Credentials of accounts up to `last`, after the hash `place` of the account `account`, in order. */
export const listCredentials = prepared((db: Db, { account, place, last, limit }: ProofsPage) =>
  statement<Credential>(
    db,
    sql`select hash, kind, account_id as "accountId", subject, expires_at as "expiresAt" from credentials
    where (account_id, hash) > (${account}, ${place}) and account_id <= ${last}
    order by account_id, hash limit ${limit}`,
  ),
)
