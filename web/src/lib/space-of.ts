import type { Space } from '@loci/contract/spaces'

export const defaultSpaceName = 'default'

/** The space used by calls that name none: `default`, or the oldest if that was renamed or deleted. */
export function defaultSpaceOf(spaces: readonly Space[]): Space | undefined {
  return spaces.find(({ name }) => name === defaultSpaceName) ?? spaces[0]
}

/** The space that an address names by id or name; undefined if it does not exist. */
export function spaceOf(spaces: readonly Space[], named: string | undefined): Space | undefined {
  if (named === undefined) return defaultSpaceOf(spaces)
  return spaces.find(({ id }) => id === named) ?? spaces.find(({ name }) => name === named)
}
