import type { Scope } from '../../tenancy/scope.ts'

/**
 * The index of the turns of a space's conversations: an index of its own beside the one of the graph, under the negated
 * number of the space. What was said has its own words and frequencies, and no search of the graph reads them.
 */
export const turnScopeOf = ({ accountId, spaceId }: Scope): Scope => ({ accountId, spaceId: -spaceId })
