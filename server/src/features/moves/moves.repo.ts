import type { Db } from '../../store/db.ts'
import type { MovesTable } from '../../store/schema.ts'

/** The move into this database; undefined if there was none. */
export async function findMove(db: Db): Promise<MovesTable | undefined> {
  return db.selectFrom('moves').selectAll().executeTakeFirst()
}

export async function insertMove(db: Db, source: string, now: number): Promise<void> {
  await db.insertInto('moves').values({ source, state: 'copying', began_at: now, ended_at: null }).execute()
}

export async function setMoveState(
  db: Db,
  source: string,
  state: MovesTable['state'],
  endedAt: number | null = null,
): Promise<void> {
  await db.updateTable('moves').set({ state, ended_at: endedAt }).where('source', '=', source).execute()
}

/** Marks the search indexes of every space for rebuilding. */
export async function outdateIndexes(db: Db): Promise<void> {
  await db.updateTable('spaces').set({ index_version: 0 }).execute()
  await db.updateTable('turn_indexes').set({ index_version: 0 }).execute()
}

/** True if the database has users, their accounts, or memory without an account. */
export async function isInUse(db: Db): Promise<boolean> {
  const user = await db.selectFrom('users').select('id').limit(1).executeTakeFirst()
  if (user !== undefined) return true
  // The first start creates an account for memory without one.
  const [local, other] = await db
    .selectFrom('accounts')
    .select(['account_id', 'unclaimed', 'conversation_bytes'])
    .limit(2)
    .execute()
  if (local === undefined) return false
  if (local.unclaimed === 0 || other !== undefined || local.conversation_bytes > 0) return true
  const space = await db
    .selectFrom('spaces')
    .select('space_id')
    .where('account_id', '=', local.account_id)
    .where('seq', '>', 0)
    .limit(1)
    .executeTakeFirst()
  return space !== undefined
}
