import type { Db } from '../../store/db.ts'
import type { Scope } from '../scope.ts'

export async function countNews(db: Db, { accountId, spaceId }: Scope): Promise<void> {
  await db
    .updateTable('spaces')
    .set((eb) => ({ news: eb('news', '+', 1) }))
    .where('account_id', '=', accountId)
    .where('space_id', '=', spaceId)
    .execute()
}
