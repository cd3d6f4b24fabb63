import { z } from 'zod'

/**
 * Everything that a caller can be allowed to do. An endpoint, tool or message requires at most one of
 * these.
 */
export const Right = z.enum([
  'memory:read',
  'memory:write',
  'memory:review',
  'memory:share',
  'keys:manage',
  'webhooks:manage',
  'members:manage',
  'billing:manage',
  'account:manage',
])
export type Right = z.infer<typeof Right>

/** The rights that a key or an OAuth token can have; the others require a signed-in person. */
export const MemoryRight = z.enum(['memory:read', 'memory:write'])
export type MemoryRight = z.infer<typeof MemoryRight>

export const Role = z.enum(['owner', 'admin', 'member', 'viewer'])
export type Role = z.infer<typeof Role>

/** `all` things of the account, or only the caller's `own`. */
export type Reach = 'all' | 'own'

const memory = { 'memory:read': 'all', 'memory:write': 'all' } as const
const administration = {
  ...memory,
  'memory:review': 'all',
  'memory:share': 'all',
  'keys:manage': 'all',
  'webhooks:manage': 'all',
  'members:manage': 'all',
  'billing:manage': 'all',
} as const

const reachByRole: Record<Role, Partial<Record<Right, Reach>>> = {
  owner: { ...administration, 'account:manage': 'all' },
  admin: administration,
  member: { ...memory, 'keys:manage': 'own' },
  viewer: { 'memory:read': 'all' },
}

/** Reach of a right for a role; undefined if the role lacks it. */
export function reachOfRole(role: Role, right: Right): Reach | undefined {
  return reachByRole[role][right]
}

/** Whether a key or token can ever have a right. */
export function isMemoryRight(right: Right): right is MemoryRight {
  return right === 'memory:read' || right === 'memory:write'
}
