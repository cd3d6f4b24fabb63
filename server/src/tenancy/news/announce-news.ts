import type { Db } from '../../store/db.ts'
import { afterCommit } from '../../store/transact.ts'
import type { ChangeBus } from '../change-bus.ts'
import type { Scope } from '../scope.ts'
import { countNews } from './news.repo.ts'

/** On commit of the current transaction, makes all processes look for news of the scope: its map or its recalls. */
export async function announceNews(
  { db, changes }: { db: Db; changes: ChangeBus },
  { accountId, spaceId }: Scope,
): Promise<void> {
  const scope = { accountId, spaceId }
  await countNews(db, scope)
  afterCommit(db, () => changes.announceNews(scope))
}
