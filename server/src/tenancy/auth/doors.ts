import type { Door } from '@loci/contract/doors'
import { KeyRight } from '@loci/contract/rights'
import type { WritePolicy } from '@loci/contract/write-policy'

/** What credentials are limited to. */
export type Held = {
  /** Their rights; absent if they have all of their kind. */
  permissions?: readonly KeyRight[]
  /** `propose`: what they write waits for a review, in any space. */
  writes?: WritePolicy
}

const rightsOf: Record<Door, readonly KeyRight[]> = {
  none: [],
  read: ['memory:read'],
  propose: ['memory:read', 'memory:write'],
  write: ['memory:read', 'memory:write'],
}

/** What credentials may do in a space with a door of its own; a door that only reads stores nothing said either. */
export function throughDoor({ permissions = KeyRight.options }: Held, door: Door): Held {
  const said = permissions.filter(
    (right) => right === 'conversations:read' || (right === 'conversations:write' && door !== 'read'),
  )
  return {
    permissions: [...rightsOf[door], ...(door === 'none' ? [] : said)],
    ...(door === 'propose' ? { writes: 'propose' } : {}),
  }
}

/** The door that credentials have in a space without one of its own. */
export function doorOf({ permissions, writes }: Held): Door {
  const may = (right: KeyRight) => permissions?.includes(right) ?? true
  if (may('memory:write')) return writes === 'propose' ? 'propose' : 'write'
  return may('memory:read') ? 'read' : 'none'
}
