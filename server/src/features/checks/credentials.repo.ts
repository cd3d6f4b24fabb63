import { sql } from 'kysely'
import { sha256 } from '../../ground/lib/secrets.ts'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { prepared, statement } from '../../store/prepared.ts'
import type { Database, OAuthTokenKind } from '../../store/schema.ts'
import type { Credential } from '../../tenancy/auth/credentials.repo.ts'
import { subjectOfShare } from '../../tenancy/auth/share-subjects.ts'

type Page = { after: string; limit: number }
/** A credential as derived from its row, with the row's sort position among its kind. */
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

const selectKinds = prepared((db: Db, { accountId }: { accountId: number }) =>
  statement<{ kinds: string }>(
    db,
    sql`select ${sql.join(
      kindsWithRows.map(
        (kind) => sql`case when exists (select 1 from ${sql.table(tableOf[kind])}
          where account_id = ${accountId}) then ${sql.lit(`${kind} `)} else '' end`,
      ),
      sql` || `,
    )} as kinds`,
  ),
)

/** The kinds of credentials that an account with those `stored` can have, since most have few of them. */
export async function listKinds(
  db: Db,
  accountId: number,
  stored: Iterable<Credential>,
): Promise<Credential['kind'][]> {
  const [row] = await selectKinds(db, { accountId })
  const found = new Set(row?.kinds.split(' '))
  for (const { kind } of stored) found.add(kind)
  return kinds.filter((kind) => found.has(kind))
}

/** Every account has sessions and members. */
const selectSessions = prepared((db: Db, { accountId, after, limit }: { accountId: number } & Page) =>
  db
    .selectFrom('sessions')
    .select(['id', 'token_hash', 'expires_at'])
    .where('account_id', '=', accountId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit),
)

const selectMembers = prepared((db: Db, { accountId, after, limit }: { accountId: number } & Page) =>
  db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['users.id', 'users.personal_key_hash'])
    .where('members.account_id', '=', accountId)
    .where('members.user_id', '>', after)
    .orderBy('members.user_id')
    .limit(limit),
)

/** Lists the credentials that an account's rows should have, by kind, in order of their position. */
export const proofsOf: Record<
  Credential['kind'],
  (db: Db, accountId: number, page: Page) => Promise<Proof[]>
> = {
  async session(db, accountId, page) {
    const rows = await selectSessions(db, { accountId, ...page })
    return rows.map((row) => proof('session', accountId, row.id, row.token_hash, row.expires_at))
  },
  async api_key(db, accountId, page) {
    const rows = await db
      .selectFrom('api_keys')
      .select(['id', 'key_hash', 'expires_at'])
      .where('account_id', '=', accountId)
      .where('id', '>', page.after)
      .orderBy('id')
      .limit(page.limit)
      .execute()
    return rows.map((row) => proof('api_key', accountId, row.id, row.key_hash, row.expires_at))
  },
  async personal_key(db, accountId, page) {
    const rows = await selectMembers(db, { accountId, ...page })
    return rows.map((row) => proof('personal_key', accountId, row.id, row.personal_key_hash, null))
  },
  oauth_code: tokensOf('oauth_code'),
  oauth_access: tokensOf('oauth_access'),
  oauth_refresh: tokensOf('oauth_refresh'),
  async checkout(db, accountId, page) {
    const rows = await db
      .selectFrom('checkouts')
      .select(['token_hash', 'expires_at'])
      .where('account_id', '=', accountId)
      .where('token_hash', '>', page.after)
      .orderBy('token_hash')
      .limit(page.limit)
      .execute()
    return rows.map((row) => proof('checkout', accountId, row.token_hash, row.token_hash, row.expires_at))
  },
  async invoice(db, accountId, page) {
    const rows = await db
      .selectFrom('invoices')
      .select(['id', 'hosted_url'])
      .where('account_id', '=', accountId)
      .where('id', '>', page.after)
      .where(sql`substr(hosted_url, 1, 1)`, '=', '/')
      .orderBy('id')
      .limit(page.limit)
      .execute()
    return rows.map((row) => proof('invoice', accountId, row.id, sha256(row.hosted_url ?? ''), null))
  },
  async customer(db, accountId, page) {
    const row = await db
      .selectFrom('subscriptions')
      .select('customer_id')
      .where('account_id', '=', accountId)
      .executeTakeFirst()
    const id = row?.customer_id ?? ''
    return id > page.after ? [proof('customer', accountId, id, sha256(id), null)] : []
  },
  async invitation(db, accountId, page) {
    const rows = await db
      .selectFrom('invitations')
      .select(['id', 'token_hash', 'expires_at'])
      .where('account_id', '=', accountId)
      .where('id', '>', page.after)
      .orderBy('id')
      .limit(page.limit)
      .execute()
    return rows.map((row) => proof('invitation', accountId, row.id, row.token_hash, row.expires_at))
  },
  async share(db, accountId, page) {
    const rows = await db
      .selectFrom('shares')
      .select(['space_id', 'id', 'token_hash', 'expires_at'])
      .where('account_id', '=', accountId)
      .where('token_hash', '>', page.after)
      .orderBy('token_hash')
      .limit(page.limit)
      .execute()
    return rows.map((row) => ({
      ...proof('share', accountId, subjectOfShare(row.space_id, row.id), row.token_hash, row.expires_at),
      place: row.token_hash,
    }))
  },
  password_reset: linksOf('password_reset'),
  email: linksOf('email'),
  second_step: linksOf('second_step'),
}

/** Links for members, and pending sign-ins, exist only as credentials. */
function linksOf(kind: 'password_reset' | 'email' | 'second_step') {
  return async (db: Db, accountId: number, page: Page): Promise<Proof[]> => {
    const links = await db
      .selectFrom('credentials')
      .select(['hash', 'subject', 'expires_at'])
      .where('account_id', '=', accountId)
      .where('kind', '=', kind)
      .where('hash', '>', page.after)
      .orderBy('hash')
      .limit(page.limit)
      .execute()
    const members = await db
      .selectFrom('members')
      .select('user_id')
      .where('account_id', '=', accountId)
      .where(
        dialectOf(db).isOneOf(
          'user_id',
          links.map(({ subject }) => subject),
        ),
      )
      .execute()
    const known = new Set(members.map(({ user_id }) => user_id))
    const rows = links.filter(({ subject }) => known.has(subject))
    return rows.map(({ hash, subject, expires_at }) => ({
      ...proof(kind, accountId, subject, hash, expires_at),
      place: hash,
    }))
  }
}

function tokensOf(kind: OAuthTokenKind) {
  return async (db: Db, accountId: number, page: Page): Promise<Proof[]> => {
    const rows = await db
      .selectFrom('oauth_tokens')
      .select(['hash', 'grant_id', 'expires_at'])
      .where('account_id', '=', accountId)
      .where('hash', '>', page.after)
      .where('kind', '=', kind)
      .orderBy('hash')
      .limit(page.limit)
      .execute()
    return rows.map(({ hash, grant_id, expires_at }) => ({
      ...proof(kind, accountId, grant_id, hash, expires_at),
      place: hash,
    }))
  }
}

function proof(
  kind: Credential['kind'],
  accountId: number,
  subject: string,
  hash: string,
  expiresAt: number | null,
): Proof {
  return { place: subject, hash, kind, accountId, subject, expiresAt }
}

/** Credentials of an account after the hash `after`, in order. */
export const listCredentials = prepared((db: Db, { accountId, after, limit }: { accountId: number } & Page) =>
  db
    .selectFrom('credentials')
    .select(['hash', 'kind', 'account_id as accountId', 'subject', 'expires_at as expiresAt'])
    .where('account_id', '=', accountId)
    .where('hash', '>', after)
    .orderBy('hash')
    .limit(limit),
)
