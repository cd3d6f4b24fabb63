/** One graph of an account, on which a call works. Both numbers are internal. */
export type Scope = { accountId: number; spaceId: number }

/** The space that each account starts with. */
export const defaultSpaceId = 1
export const defaultSpaceName = 'default'

/** The graph that a call works on unless it names another. */
export const defaultScopeOf = (accountId: number): Scope => ({ accountId, spaceId: defaultSpaceId })
