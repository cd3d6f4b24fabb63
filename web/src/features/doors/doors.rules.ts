import type { Connection } from '@loci/contract/connections'
import type { ApiKey } from '@loci/contract/keys'
import type { Space } from '@loci/contract/spaces'

/** How far an agent gets into a memory. */
export type Door = 'none' | 'read' | 'propose' | 'write'

type Pass = { rights: readonly string[]; writes: 'direct' | 'propose'; spaces: readonly string[] | null }

/** The door of a credential into a space, whose own policy can ask that everything is proposed. */
export function doorInto({ id, writes: policy }: Pick<Space, 'id' | 'writes'>, pass: Pass): Door {
  if (pass.spaces !== null && !pass.spaces.includes(id)) return 'none'
  const has = (right: string) => pass.rights.length === 0 || pass.rights.includes(right)
  if (has('memory:write')) return pass.writes === 'propose' || policy === 'propose' ? 'propose' : 'write'
  return has('memory:read') ? 'read' : 'none'
}

export const passOfKey = ({ permissions, writes, spaces }: ApiKey): Pass => ({
  rights: permissions,
  writes,
  spaces,
})

export const passOfConnection = ({ scopes, writes, space }: Connection): Pass => ({
  rights: scopes,
  writes,
  spaces: [space.id],
})

export const doorWords: Record<Door, string> = {
  none: 'None',
  read: 'Read',
  propose: 'Propose',
  write: 'Write',
}
