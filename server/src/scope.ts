/** The part of an account that a call works on: one of its graphs. Both are numbers that no caller sees. */
export type Scope = { accountId: number; spaceId: number }

/** The space that each account begins with. */
export const defaultSpaceId = 1
export const defaultSpaceName = 'default'

/** The graph that a call works on unless it names another. */
export const defaultScopeOf = (accountId: number): Scope => ({ accountId, spaceId: defaultSpaceId })
