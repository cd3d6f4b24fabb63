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
  'conversations:read',
  'conversations:write',
  'keys:manage',
  'webhooks:manage',
  'members:manage',
  'billing:manage',
  'account:manage',
])
export type Right = z.infer<typeof Right>

/** The rights that an OAuth token can have. */
export const MemoryRight = z.enum(['memory:read', 'memory:write'])
export type MemoryRight = z.infer<typeof MemoryRight>

/**
 * The rights that a key can have; the others require a signed-in person. Memory and conversations are apart: a key
 * for memory does not read what was said.
 */
export const KeyRight = z.enum([...MemoryRight.options, 'conversations:read', 'conversations:write'])
export type KeyRight = z.infer<typeof KeyRight>

export const Role = z.enum(['owner', 'admin', 'member', 'viewer'])
export type Role = z.infer<typeof Role>

/** `all` things of the account, or only the caller's `own`. */
export type Reach = 'all' | 'own'

const memory = { 'memory:read': 'all', 'memory:write': 'all' } as const
const conversations = { 'conversations:read': 'all', 'conversations:write': 'all' } as const
const administration = {
  ...memory,
  ...conversations,
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
  member: { ...memory, ...conversations, 'keys:manage': 'own' },
  viewer: { 'memory:read': 'all' },
}

/** Reach of a right for a role; undefined if the role lacks it. */
export function reachOfRole(role: Role, right: Right): Reach | undefined {
  return reachByRole[role][right]
}

/** Whether a key can ever have a right. */
export function isKeyRight(right: Right): right is KeyRight {
  return (KeyRight.options as readonly Right[]).includes(right)
}
