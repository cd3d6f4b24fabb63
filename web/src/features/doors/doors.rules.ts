import type { Connection } from '@loci/contract/connections'
import type { Door, DoorsBySpace } from '@loci/contract/doors'
import type { ApiKey } from '@loci/contract/keys'
import type { Space } from '@loci/contract/spaces'

type Pass = {
  rights: readonly string[]
  writes: 'direct' | 'propose'
  spaces: readonly string[] | null
  /** Where it differs from the rest. */
  doors?: DoorsBySpace
}

/** From closed to wide open. */
export const doorsInOrder: readonly Door[] = ['none', 'read', 'propose', 'write']

export const isWider = (door: Door, than: Door) => doorsInOrder.indexOf(door) > doorsInOrder.indexOf(than)

/** The door of a credential into a space, whose own policy can ask that everything is proposed. */
export function doorInto({ id, writes: policy }: Pick<Space, 'id' | 'writes'>, pass: Pass): Door {
  const own = pass.doors?.[id]
  if (own === 'none' || (pass.spaces !== null && !pass.spaces.includes(id))) return 'none'
  const has = (right: string) => pass.rights.length === 0 || pass.rights.includes(right)
  const writes = own === undefined ? has('memory:write') : own !== 'read'
  const mustPropose = own === undefined ? pass.writes === 'propose' : own === 'propose'
  if (writes) return mustPropose || policy === 'propose' ? 'propose' : 'write'
  return own === 'read' || has('memory:read') ? 'read' : 'none'
}

export const passOfKey = ({ permissions, writes, spaces, doors }: ApiKey): Pass => ({
  rights: permissions,
  writes,
  spaces,
  doors,
})

export const passOfConnection = ({ scopes, writes, space, isReadOnly }: Connection): Pass => ({
  rights: isReadOnly ? scopes.filter((scope) => scope === 'memory:read') : scopes,
  writes,
  spaces: [space.id],
})

export const doorWords: Record<Door, string> = {
  none: 'None',
  read: 'Read',
  propose: 'Propose',
  write: 'Write',
}

export const doorSentences: Record<Door, string> = {
  none: 'Does not see this memory.',
  read: 'Reads this memory and changes nothing.',
  propose: 'Reads this memory. What it writes waits in the Inbox until a person accepts it.',
  write: 'Reads this memory and changes it at once. Each call can be undone in History.',
}
