import {
  ChangeCountsResponse,
  ChangesResponse,
  CountChangesQuery,
  ListChangesQuery,
  UndoResponse,
} from '../changes.ts'
import { endpoints } from '../endpoint.ts'
import { asProposal } from '../write-policy.ts'
import { json } from './statuses.ts'

export const changesApi = endpoints({
  listChanges: {
    method: 'GET',
    path: '/api/changes',
    access: 'memory:read',
    tag: 'History',
    summary: 'List changes, newest first',
    ...json,
    query: ListChangesQuery,
    response: ChangesResponse,
  },
  countChanges: {
    method: 'GET',
    path: '/api/changes/counts',
    access: 'memory:read',
    tag: 'History',
    summary: 'Count changes by actor and operation; of many, the newest 10,000',
    ...json,
    query: CountChangesQuery,
    response: ChangeCountsResponse,
  },
  undoChangeSet: {
    method: 'POST',
    path: '/api/changes/sets/:setId/undo',
    access: 'memory:write',
    proposable: true,
    tag: 'History',
    summary: 'Undo everything that one call changed',
    counts: { type: 'update' },
    ...json,
    response: UndoResponse.extend(asProposal),
  },
})
