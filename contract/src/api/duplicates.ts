import { DuplicatePair, DuplicatesResponse, ListDuplicatesQuery } from '../duplicates.ts'
import { endpoints } from '../endpoint.ts'
import { empty, json } from './statuses.ts'

export const duplicatesApi = endpoints({
  listDuplicates: {
    method: 'GET',
    path: '/api/duplicates',
    access: 'memory:read',
    tag: 'Duplicates',
    summary: 'List pairs of entities that may be duplicates, with reasons',
    ...json,
    query: ListDuplicatesQuery,
    response: DuplicatesResponse,
  },
  dismissDuplicate: {
    method: 'POST',
    path: '/api/duplicates/dismiss',
    access: 'memory:write',
    tag: 'Duplicates',
    summary: 'Dismiss a pair of entities as different, so that it is not proposed again',
    ...empty,
    body: DuplicatePair,
  },
  undismissDuplicate: {
    method: 'POST',
    path: '/api/duplicates/undismiss',
    access: 'memory:write',
    tag: 'Duplicates',
    summary: 'Undo the dismissal of a pair',
    counts: { type: 'delete' },
    ...empty,
    body: DuplicatePair,
  },
})
