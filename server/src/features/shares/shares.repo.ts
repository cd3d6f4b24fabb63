import type { Share } from '@loci/contract/shares'
import type { Db } from '../../store/db.ts'
import { isIn } from '../../tenancy/scope.repo.ts'
import type { Scope } from '../../tenancy/scope.ts'

/** A share with its times in milliseconds; `entities` are numbers. */
export type StoredShare = {
  id: string
  tokenHash: string
  kind: Share['kind']
  title: string
  note: string
  entities: number[]
  /** The moment shown; null for the present. */
  asOf: number | null
  createdBy: string
  createdAt: number
  expiresAt: number | null
}

const sharesOf = (db: Db, scope: Scope) =>
  db
    .selectFrom('shares')
    .select([
      'id',
      'token_hash as tokenHash',
      'kind',
      'title',
      'note',
      'entities',
      'as_of as asOf',
      'created_by as createdBy',
      'created_at as createdAt',
      'expires_at as expiresAt',
    ])
    .where(isIn(scope))

type Row = Awaited<ReturnType<ReturnType<typeof sharesOf>['executeTakeFirstOrThrow']>>

const toShare = (row: Row): StoredShare => ({ ...row, entities: JSON.parse(row.entities) })

/** Newest first; ids grow with time. */
export async function listShareRows(db: Db, scope: Scope, limit: number): Promise<StoredShare[]> {
  const rows = await sharesOf(db, scope).orderBy('id', 'desc').limit(limit).execute()
  return rows.map(toShare)
}

export async function findShare(db: Db, scope: Scope, id: string): Promise<StoredShare | undefined> {
  const row = await sharesOf(db, scope).where('id', '=', id).executeTakeFirst()
  return row && toShare(row)
}

export async function insertShare(db: Db, { accountId, spaceId }: Scope, share: StoredShare): Promise<void> {
  await db
    .insertInto('shares')
    .values({
      account_id: accountId,
      space_id: spaceId,
      id: share.id,
      token_hash: share.tokenHash,
      kind: share.kind,
      title: share.title,
      note: share.note,
      entities: JSON.stringify(share.entities),
      as_of: share.asOf,
      created_by: share.createdBy,
      created_at: share.createdAt,
      expires_at: share.expiresAt,
    })
    .execute()
}

export async function deleteShareRow(db: Db, scope: Scope, id: string): Promise<void> {
  await db.deleteFrom('shares').where(isIn(scope)).where('id', '=', id).execute()
}
