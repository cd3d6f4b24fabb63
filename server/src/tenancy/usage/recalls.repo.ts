import type { Db } from '../../store/db.ts'
import type { Scope } from '../scope.ts'

/** A question that an agent asked of a space, and what was returned. */
export type Recall = {
  at: number
  agent: string | null
  question: string
  /** How many observations were returned. */
  observations: number
  /** Ids, best first. */
  entities: string[]
}

/** Stores it as the last recall of its space, if the space still exists. */
export async function storeRecall(db: Db, { accountId, spaceId }: Scope, recall: Recall): Promise<void> {
  const space = await db
    .selectFrom('spaces')
    .select('space_id')
    .where('account_id', '=', accountId)
    .where('space_id', '=', spaceId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (space === undefined) return
  const values = { ...recall, entities: JSON.stringify(recall.entities) }
  await db
    .insertInto('recalls')
    .values({ account_id: accountId, space_id: spaceId, ...values })
    .onConflict((conflict) => conflict.columns(['account_id', 'space_id']).doUpdateSet(values))
    .execute()
}

export async function findRecall(db: Db, { accountId, spaceId }: Scope): Promise<Recall | undefined> {
  const row = await db
    .selectFrom('recalls')
    .select(['at', 'agent', 'question', 'observations', 'entities'])
    .where('account_id', '=', accountId)
    .where('space_id', '=', spaceId)
    .executeTakeFirst()
  return row && { ...row, entities: JSON.parse(row.entities) as string[] }
}
