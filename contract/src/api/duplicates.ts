import { DuplicatePair, DuplicatesResponse, ListDuplicatesQuery } from '../duplicates.ts'
import { endpoints } from '../endpoint.ts'
import { empty, json } from './statuses.ts'

export const duplicatesApi = endpoints({
  listDuplicates: {
    method: 'GET',
    path: '/api/duplicates',
    access: 'memory:read',
    tag: 'Duplicates',
    summary: 'Pairs of entities that may be the same thing, with reasons',
    ...json,
    query: ListDuplicatesQuery,
    response: DuplicatesResponse,
  },
  dismissDuplicate: {
    method: 'POST',
    path: '/api/duplicates/dismiss',
    access: 'memory:write',
    tag: 'Duplicates',
    summary: 'Say that two entities are not the same thing; they are proposed no more',
    ...empty,
    body: DuplicatePair,
  },
  undismissDuplicate: {
    method: 'POST',
    path: '/api/duplicates/undismiss',
    access: 'memory:write',
    tag: 'Duplicates',
    summary: 'Take back that two entities are not the same thing',
    counts: { type: 'delete' },
    ...empty,
    body: DuplicatePair,
  },
})
