import type { Db } from '../../store/db.ts'
import { isIn } from '../../tenancy/scope.repo.ts'
import type { Scope } from '../../tenancy/scope.ts'

/** How far a person has read the changes of a space. */
export type Mark = {
  /** Everything up to this change is read. */
  seq: number
  at: number
  /** Later changes that are read. */
  read: number[]
}

export async function findMark(db: Db, scope: Scope, userId: string): Promise<Mark | undefined> {
  const row = await db
    .selectFrom('brief_marks')
    .select(['seq', 'at', 'read_seqs'])
    .where(isIn(scope))
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row && { seq: row.seq, at: row.at, read: JSON.parse(row.read_seqs) }
}

export async function storeMark(
  db: Db,
  { accountId, spaceId }: Scope,
  userId: string,
  { seq, at, read }: Mark,
): Promise<void> {
  const values = { seq, at, read_seqs: JSON.stringify(read) }
  await db
    .insertInto('brief_marks')
    .values({ account_id: accountId, space_id: spaceId, user_id: userId, ...values })
    .onConflict((conflict) => conflict.columns(['account_id', 'space_id', 'user_id']).doUpdateSet(values))
    .execute()
}
