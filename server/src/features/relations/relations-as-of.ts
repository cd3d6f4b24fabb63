import type { MomentOrSeq } from '@loci/contract/moments'
import type { ListRelationsQuery, RelationsResponse } from '@loci/contract/relations'
import { decodeCursor, encodeCursor } from '../../ground/lib/cursors.ts'
import { toNumber } from '../../ground/lib/ids.ts'
import { findRelationsAsOf, refuseSearch } from '../../memory/history/as-of.ts'
import { countAsOf, listAsOf } from '../../memory/history/list-as-of.ts'
import { toSeq } from '../../memory/log/seq-of-moment.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'

/** A page of past relations, newest first. Throws `as_of_not_searchable`. */
export async function listRelationsAsOf(
  { db }: Context,
  actor: Actor,
  query: ListRelationsQuery,
  asOf: MomentOrSeq,
): Promise<RelationsResponse> {
  refuseSearch(query.query)
  const seq = await toSeq(db, actor, asOf)
  const { relationTypes: types, limit } = query
  // No entity has the number 0.
  const entityId = query.entityId === undefined ? undefined : (toNumber('ent', query.entityId) ?? 0)
  const filter = { seq, entityId, types }
  const cursor = decodeCursor('past relations', query.cursor)
  const { keys, next } = await listAsOf(db, actor, 'relations', { ...filter, cursor, limit })
  const ids = keys.map(({ id }) => id)
  const states = await findRelationsAsOf(db, actor, ids, seq)
  return {
    relations: ids.flatMap((id) => states.get(id) ?? []),
    total: await countAsOf(db, actor, 'relations', filter),
    nextCursor: next === undefined ? null : encodeCursor('past relations', next),
  }
}
