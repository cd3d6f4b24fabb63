import type { ApiKey } from '@loci/contract/keys'

export const keyNamed = (name: string, more: Partial<ApiKey> = {}): ApiKey => ({
  id: `key_${name.toLowerCase()}`,
  name,
  keyPreview: 'loci_A…9fK2',
  permissions: [],
  writes: 'direct',
  doors: {},
  spaces: null,
  expiresAt: null,
  isExpired: false,
  isExpiringSoon: false,
  lastUsedAt: null,
  lastOperation: null,
  createdAt: '2026-01-05T09:00:00.000Z',
  createdBy: { name: 'Ada Lovelace' },
  usage: { totalRequests: 0, activeDays: 0 },
  ...more,
})
