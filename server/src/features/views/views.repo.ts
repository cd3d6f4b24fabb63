import type { ViewState } from '@loci/contract/views'
import type { Db } from '../../store/db.ts'
import { type CamelRow, toCamelRow, toSnakeRow } from '../../store/row-names.ts'
import { isIn } from '../../tenancy/scope.repo.ts'
import type { Scope } from '../../tenancy/scope.ts'

/** A view with its times in milliseconds. */
export type StoredView = Omit<CamelRow<Row>, 'state'> & { state: ViewState }

const viewsOf = (db: Db, scope: Scope) =>
  db
    .selectFrom('views')
    .select(['id', 'name', 'state', 'created_by', 'created_at', 'updated_at'])
    .where(isIn(scope))

type Row = Awaited<ReturnType<ReturnType<typeof viewsOf>['executeTakeFirstOrThrow']>>

/** Oldest first; ids grow with time. */
export async function listViewRows(db: Db, scope: Scope, limit: number): Promise<StoredView[]> {
  const rows = await viewsOf(db, scope).orderBy('id').limit(limit).execute()
  return rows.map(toView)
}

export async function findView(db: Db, scope: Scope, id: string): Promise<StoredView | undefined> {
  const row = await viewsOf(db, scope).where('id', '=', id).executeTakeFirst()
  return row === undefined ? undefined : toView(row)
}

const toView = (row: Row): StoredView => ({ ...toCamelRow(row), state: JSON.parse(row.state) })

export async function insertView(db: Db, { accountId, spaceId }: Scope, view: StoredView): Promise<void> {
  await db
    .insertInto('views')
    .values({
      ...{ account_id: accountId, space_id: spaceId },
      ...toSnakeRow(view),
      state: JSON.stringify(view.state),
    })
    .execute()
}

export async function updateViewRow(db: Db, scope: Scope, view: StoredView): Promise<void> {
  await db
    .updateTable('views')
    .set({ name: view.name, state: JSON.stringify(view.state), updated_at: view.updatedAt })
    .where(isIn(scope))
    .where('id', '=', view.id)
    .execute()
}

export async function deleteViewRow(db: Db, scope: Scope, id: string): Promise<void> {
  await db.deleteFrom('views').where(isIn(scope)).where('id', '=', id).execute()
}
