import { ObservationResponse } from '../changes.ts'
import {
  FactsResponse,
  ListCitedQuery,
  ListSourcedQuery,
  ListStaleQuery,
  VerifyObservations,
  VerifyResponse,
} from '../cited-files.ts'
import { bodyBytesMax, endpoints } from '../endpoint.ts'
import { json } from './statuses.ts'

const counts = { resource: 'observation' }

export const citedFilesApi = endpoints({
  verifyObservations: {
    method: 'POST',
    path: '/api/observations/verify',
    access: 'memory:write',
    tag: 'Entities',
    summary: 'Compare the files that observations rest on with how they are now',
    counts: { ...counts, type: 'update' },
    ...json,
    body: VerifyObservations,
    bodyBytesMax,
    response: VerifyResponse,
  },
  confirmObservation: {
    method: 'POST',
    path: '/api/observations/:id/confirm',
    access: 'memory:write',
    tag: 'Entities',
    summary: 'Confirm an observation whose files have changed: it rests on them as they are now',
    counts: { ...counts, type: 'update' },
    ...json,
    response: ObservationResponse,
  },
  listCitedObservations: {
    method: 'GET',
    path: '/api/observations/cited',
    access: 'memory:read',
    tag: 'Entities',
    summary: 'List observations that rest on files of a repository',
    counts,
    ...json,
    query: ListCitedQuery,
    response: FactsResponse,
  },
  listStaleObservations: {
    method: 'GET',
    path: '/api/observations/stale',
    access: 'memory:read',
    tag: 'Entities',
    summary: 'List observations whose files have changed or gone',
    counts,
    ...json,
    query: ListStaleQuery,
    response: FactsResponse,
  },
  listSourcedObservations: {
    method: 'GET',
    path: '/api/observations/sourced',
    access: 'memory:read',
    tag: 'Entities',
    summary: 'List observations that name a conversation as their source',
    counts,
    ...json,
    query: ListSourcedQuery,
    response: FactsResponse,
  },
})
