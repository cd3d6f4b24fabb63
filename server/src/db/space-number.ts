import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../auth/actor.ts'

/**
 * The number that stands for a space in the keys of the search index, looked up by the query itself: a query has a
 * scope, and no way to name the number of another account's space.
 */
export function spaceNumberOf({ accountId, spaceId }: Scope): RawBuilder<number> {
  return sql<number>`(select number from search_spaces where account_id = ${accountId} and space_id = ${spaceId})`
}
