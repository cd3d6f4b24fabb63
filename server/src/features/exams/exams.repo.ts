import type { Db } from '../../store/db.ts'
import type { Scope } from '../../tenancy/scope.ts'

/** Facts of a space that are told, in order, after the number `after`. */
export async function listFactsToAsk(
  db: Db,
  { accountId, spaceId }: Scope,
  { after, limit, now }: { after: number; limit: number; now: number },
) {
  return db
    .selectFrom('observations as fact')
    .innerJoin('entities as entity', (join) =>
      join
        .onRef('entity.account_id', '=', 'fact.account_id')
        .onRef('entity.space_id', '=', 'fact.space_id')
        .onRef('entity.id', '=', 'fact.entity_id'),
    )
    .select(['fact.id', 'fact.content', 'entity.name as entity'])
    .select(['fact.true_from as at', 'fact.source', 'fact.files'])
    .where('fact.account_id', '=', accountId)
    .where('fact.space_id', '=', spaceId)
    .where('fact.id', '>', after)
    .where('fact.replaced_by', 'is', null)
    .where((eb) => eb.or([eb('fact.expires_at', 'is', null), eb('fact.expires_at', '>', now)]))
    .orderBy('fact.id')
    .limit(limit)
    .execute()
}

/** A fact that can be asked for, with the name of its entity. JSON: `source`, `files`. */
export type ExamFactRow = Awaited<ReturnType<typeof listFactsToAsk>>[number]
