import type { Draft, DraftsResponse } from '@loci/contract/drafts'
import { storedAt } from './memory.ts'

export const draftOf = (id: string, content: string, more: Partial<Draft> = {}): Draft => ({
  id,
  status: 'open',
  kind: 'decision',
  by: { role: 'person', agent: 'codex', project: { name: 'Toll' } },
  at: storedAt,
  source: { conversationId: 'cnv_1', turnId: 'trn_1' },
  conversationTitle: 'Night tolls',
  changes: [{ operation: 'observation_added', content, entity: { name: 'Toll', type: 'project' } }],
  ...more,
})

export const draftsPage = (drafts: Draft[], more: Partial<DraftsResponse> = {}): DraftsResponse => ({
  ...{ drafts, open: drafts.length, thisWeek: 0, nextCursor: null },
  ...more,
})
