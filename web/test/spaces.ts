import type { Space } from '@loci/contract/spaces'

export const spaceNamed = (name: string, id: string, more: Partial<Space> = {}): Space => ({
  id,
  name,
  entities: 0,
  relations: 0,
  observations: 0,
  writes: 'direct',
  autoAcceptDays: null,
  reviewers: [],
  countsTold: false,
  conversationDays: null,
  createdAt: '2026-01-05T09:00:00.000Z',
  keepsRecalls: true,
  ...more,
})
