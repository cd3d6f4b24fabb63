import type { Space } from '@loci/contract/spaces'
import { defaultSpaceName, defaultSpaceOf } from '../../lib/space-of.ts'

/** How an address names a space: not at all for the default one. */
export function addressOf(space: Space, spaces: readonly Space[]): string | undefined {
  return space.id === defaultSpaceOf(spaces)?.id && space.name === defaultSpaceName ? undefined : space.id
}

/** The page to show in another space: the same one, without anything that exists only in this space. */
export function pageInOtherSpace(pathname: string): string {
  return pathname.startsWith('/entities/') ? '/entities' : pathname
}
