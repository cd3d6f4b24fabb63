import type { Right } from '@loci/contract/rights'

/**
 * The rights that commands require of the person, or of the key in LOCI_API_KEY, on whose behalf they act. The other
 * commands are for everybody who can read the database itself.
 */
export const commandRights = {
  import: 'memory:write',
  export: 'memory:read',
  verify: 'memory:write',
  audit: 'memory:read',
  exam: 'conversations:read',
  watch: 'conversations:write',
  'conversations list': 'conversations:read',
  'conversations delete': 'conversations:write',
  'conversations erase': 'conversations:write',
  erase: 'account:manage',
  'key create': 'keys:manage',
  'key list': 'keys:manage',
  'key change': 'keys:manage',
  'key revoke': 'keys:manage',
  'connections list': 'members:manage',
  'connections change': 'members:manage',
  'connections revoke': 'members:manage',
  'space list': 'memory:read',
  'space create': 'memory:write',
  'space rename': 'memory:write',
  'space change': 'memory:review',
  'space delete': 'account:manage',
} as const satisfies Record<string, Right>
