import type { Space } from '@loci/contract/spaces'

const defaultName = 'default'

/** The space that calls without a name reach: `default`, or the oldest where that was renamed or deleted. */
export function defaultSpaceOf(spaces: readonly Space[]): Space | undefined {
  return spaces.find(({ name }) => name === defaultName) ?? spaces[0]
}

/** The space that an address names by id or name; undefined where there is none such. */
export function spaceOf(spaces: readonly Space[], named: string | undefined): Space | undefined {
  if (named === undefined) return defaultSpaceOf(spaces)
  return spaces.find(({ id }) => id === named) ?? spaces.find(({ name }) => name === named)
}

/** What the address says of a space: nothing for the default one. */
export function addressOf(space: Space, spaces: readonly Space[]): string | undefined {
  return space.id === defaultSpaceOf(spaces)?.id && space.name === defaultName ? undefined : space.id
}

/** The page to show in another space: the same, without what exists in this one only. */
export function pageInOtherSpace(pathname: string): string {
  return pathname.startsWith('/entities/') ? '/entities' : pathname
}
