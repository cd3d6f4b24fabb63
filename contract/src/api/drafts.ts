import { DraftResponse, DraftsResponse, KeepDraft, KeptResponse, ListDraftsQuery } from '../drafts.ts'
import { endpoints } from '../endpoint.ts'
import { json } from './statuses.ts'

const tag = 'Drafts'
const counts = { resource: 'draft' }
const refusal =
  'You can read this memory, but not its conversations. This needs the right conversations:read.'

export const draftsApi = endpoints({
  listDrafts: {
    method: 'GET',
    path: '/api/drafts',
    access: 'conversations:read',
    tag,
    summary: 'List sentences of conversations that look worth remembering, newest first',
    refusal,
    counts,
    ...json,
    query: ListDraftsQuery,
    response: DraftsResponse,
  },
  keepDraft: {
    method: 'POST',
    path: '/api/drafts/:id/keep',
    access: 'memory:write',
    restriction: 'with `conversations:read`',
    tag,
    summary: 'Keep a draft as a fact, as it was said or corrected',
    counts: { ...counts, type: 'create' },
    ...json,
    body: KeepDraft.default({}),
    bodyBytesMax: 1024 * 1024,
    response: KeptResponse,
  },
  dropDraft: {
    method: 'POST',
    path: '/api/drafts/:id/drop',
    access: 'conversations:write',
    tag,
    summary: 'Drop a draft',
    counts: { ...counts, type: 'update' },
    ...json,
    response: DraftResponse,
  },
})
