import type { Db } from '../../store/db.ts'
import { type CamelRow, toCamelRow, toSnakeRow } from '../../store/row-names.ts'
import type { SharesTable } from '../../store/schema.ts'
import { isIn } from '../../tenancy/scope.repo.ts'
import type { Scope } from '../../tenancy/scope.ts'

/** A share with its times in milliseconds; `entities` are numbers. */
export type StoredShare = Omit<CamelRow<SharesTable>, 'accountId' | 'spaceId' | 'entities'> & {
  entities: number[]
}

const sharesOf = (db: Db, scope: Scope) => db.selectFrom('shares').selectAll().where(isIn(scope))

const toShare = ({ account_id, space_id, ...row }: SharesTable): StoredShare => ({
  ...toCamelRow(row),
  entities: JSON.parse(row.entities),
})

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
      ...{ account_id: accountId, space_id: spaceId },
      ...toSnakeRow(share),
      entities: JSON.stringify(share.entities),
    })
    .execute()
}

export async function deleteShareRow(db: Db, scope: Scope, id: string): Promise<void> {
  await db.deleteFrom('shares').where(isIn(scope)).where('id', '=', id).execute()
}
