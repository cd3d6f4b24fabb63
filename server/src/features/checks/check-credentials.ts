import { allPages } from '../../ground/lib/all-pages.ts'
import type { Db } from '../../store/db.ts'
import type { Dialect } from '../../store/dialect.ts'
import { transact } from '../../store/transact.ts'
import { changeAccountIds } from '../../tenancy/auth/accounts-of-user.repo.ts'
import { type Credential, deleteCredentials, insertCredential } from '../../tenancy/auth/credentials.repo.ts'
import type { Context } from '../../tenancy/context.ts'
import { type Accounts, only } from './checked-part.repo.ts'
import {
  listCredentials,
  listKinds,
  listProofs,
  listUnknowingMembers,
  type Proof,
} from './credentials.repo.ts'

const rowsPerPage = 500

export type CheckedSource = { db: Db; dialect: Dialect; now: () => number }
type Differences = {
  /** Rows without a credential to find them by. */
  missing: Credential[]
  /** Credentials that lead to no row. */
  stray: Credential[]
}

/**
 * Compares the rows that hold secrets with the credentials for finding them. Expired ones can be missing on either
 * side.
 */
export async function compareCredentials(source: CheckedSource, accounts: Accounts): Promise<Differences> {
  const { db } = source
  const stored = await readCredentials(db, accounts)
  const proven = new Map<string, string>()
  const missing: Credential[] = []
  for (const kind of await listKinds(db, accounts, stored.values())) {
    for await (const page of pagesOf(kind, db, accounts)) {
      for (const { place: _, ...credential } of page) {
        proven.set(credential.hash, leadsTo(credential))
        const isStored = stored.get(credential.hash)?.accountId === credential.accountId
        if (!isStored && !hasEnded(source, credential)) missing.push(credential)
      }
    }
  }
  const stray = [...stored.values()].filter(
    (credential) => proven.get(credential.hash) !== leadsTo(credential) && !hasEnded(source, credential),
  )
  return { missing, stray }
}

const leadsTo = ({ accountId, kind, subject }: Credential) => `${accountId} ${kind} ${subject}`

/** All credentials of accounts, by hash. */
async function readCredentials(db: Db, { first, last }: Accounts): Promise<Map<string, Credential>> {
  const found = new Map<string, Credential>()
  const list = (end = { accountId: first, hash: '' }) =>
    listCredentials(db, { account: end.accountId, place: end.hash, last, limit: rowsPerPage })
  for await (const credentials of allPages(rowsPerPage, list))
    for (const credential of credentials) found.set(credential.hash, credential)
  return found
}

const hasEnded = ({ now }: CheckedSource, { expiresAt }: Credential) =>
  expiresAt !== null && expiresAt <= now()

const pagesOf = (kind: Credential['kind'], db: Db, { first, last }: Accounts) =>
  allPages(rowsPerPage, (end: Pick<Proof, 'accountId' | 'place'> = { accountId: first, place: '' }) =>
    listProofs(db, kind, { account: end.accountId, place: end.place, last, limit: rowsPerPage }),
  )

export async function checkCredentials(source: CheckedSource, accounts: Accounts): Promise<string[]> {
  const { missing, stray } = await compareCredentials(source, accounts)
  const unknowing = await listUnknowingMembers(source.db, accounts)
  return [
    ...unknowing.map(({ userId }) => `the member ${userId} does not find the account on signing in`),
    ...missing.map(({ kind, subject }) => `the secret of the ${nameOf(kind)} ${subject} leads nowhere`),
    ...stray.map(
      ({ kind, subject }) => `a secret leads to the ${nameOf(kind)} ${subject}, which is not there`,
    ),
  ]
}

const nameOf = (kind: string) => kind.replace('_', ' ')

/** Inserts missing credentials and deletes stray ones. */
export async function repairCredentials(ctx: Context, accountId: number): Promise<void> {
  await transact(ctx, async (inner) => {
    const { missing, stray } = await compareCredentials(inner, only(accountId))
    await deleteCredentials(
      inner.db,
      stray.map(({ hash }) => hash),
    )
    for (const credential of missing) await insertCredential(inner.db, credential)
    for (const { userId } of await listUnknowingMembers(inner.db, only(accountId)))
      await changeAccountIds(inner.db, userId, (ids) => [...ids, accountId])
  })
}
