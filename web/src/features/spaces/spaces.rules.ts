import type { Space } from '@loci/contract/spaces'

const defaultName = 'default'

/** The space used by calls that name none: `default`, or the oldest if that was renamed or deleted. */
export function defaultSpaceOf(spaces: readonly Space[]): Space | undefined {
  return spaces.find(({ name }) => name === defaultName) ?? spaces[0]
}

/** The space that an address names by id or name; undefined if it does not exist. */
export function spaceOf(spaces: readonly Space[], named: string | undefined): Space | undefined {
  if (named === undefined) return defaultSpaceOf(spaces)
  return spaces.find(({ id }) => id === named) ?? spaces.find(({ name }) => name === named)
}

/** How an address names a space: not at all for the default one. */
export function addressOf(space: Space, spaces: readonly Space[]): string | undefined {
  return space.id === defaultSpaceOf(spaces)?.id && space.name === defaultName ? undefined : space.id
}

/** The page to show in another space: the same one, without anything that exists only in this space. */
export function pageInOtherSpace(pathname: string): string {
  return pathname.startsWith('/entities/') ? '/entities' : pathname
}
