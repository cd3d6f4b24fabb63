import type { Db } from '../../store/db.ts'
import { isIn } from '../scope.repo.ts'
import type { Scope } from '../scope.ts'

export async function countNews(db: Db, scope: Scope): Promise<void> {
  await db
    .updateTable('spaces')
    .set((eb) => ({ news: eb('news', '+', 1) }))
    .where(isIn(scope))
    .execute()
}
