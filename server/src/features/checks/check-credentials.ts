import type { Db } from '../../store/db.ts'
import type { Dialect } from '../../store/dialect.ts'
import { transact } from '../../store/transact.ts'
import { type Credential, deleteCredentials, insertCredential } from '../../tenancy/auth/credentials.repo.ts'
import type { Context } from '../../tenancy/context.ts'
import { listCredentials, listKinds, type Proof, proofsOf } from './credentials.repo.ts'

const rowsPerPage = 500

type Source = { db: Db; dialect: Dialect; now: () => number }
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
export async function compareCredentials(source: Source, accountId: number): Promise<Differences> {
  const { db } = source
  const stored = await readCredentials(db, accountId)
  const proven = new Map<string, string>()
  const missing: Credential[] = []
  for (const kind of await listKinds(db, accountId, stored.values())) {
    for await (const page of pagesOf(kind, db, accountId)) {
      for (const { place: _, ...credential } of page) {
        proven.set(credential.hash, `${kind} ${credential.subject}`)
        if (!stored.has(credential.hash) && !hasEnded(source, credential)) missing.push(credential)
      }
    }
  }
  const stray = [...stored.values()].filter(
    (credential) =>
      proven.get(credential.hash) !== `${credential.kind} ${credential.subject}` &&
      !hasEnded(source, credential),
  )
  return { missing, stray }
}

/** All credentials of an account, by hash. */
async function readCredentials(db: Db, accountId: number): Promise<Map<string, Credential>> {
  const found = new Map<string, Credential>()
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page: Credential[] = await listCredentials(db, { accountId, after, limit: rowsPerPage })
    for (const credential of page) found.set(credential.hash, credential)
    after = page.length < rowsPerPage ? undefined : page.at(-1)?.hash
  }
  return found
}

const hasEnded = ({ now }: Source, { expiresAt }: Credential) => expiresAt !== null && expiresAt <= now()

async function* pagesOf(kind: Credential['kind'], db: Db, accountId: number): AsyncGenerator<Proof[], void> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page: Proof[] = await proofsOf[kind](db, accountId, { after, limit: rowsPerPage })
    if (page.length > 0) yield page
    after = page.length < rowsPerPage ? undefined : page.at(-1)?.place
  }
}

export async function checkCredentials(source: Source, accountId: number): Promise<string[]> {
  const { missing, stray } = await compareCredentials(source, accountId)
  return [
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
    const { missing, stray } = await compareCredentials(inner, accountId)
    await deleteCredentials(
      inner.db,
      stray.map(({ hash }) => hash),
    )
    for (const credential of missing) await insertCredential(inner.db, credential)
  })
}
