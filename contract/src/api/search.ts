import { endpoints } from '../endpoint.ts'
import {
  RecallPreview,
  RecallPreviewResponse,
  SearchBody,
  SearchObservationsBody,
  SearchObservationsQuery,
  SearchObservationsResponse,
  SearchQuery,
  SearchResponse,
} from '../search.ts'
import { json } from './statuses.ts'

/** Room for the longest question and its lists of types, however they are escaped. */
const queryBytesMax = 512 * 1024

export const searchApi = endpoints({
  search: {
    method: 'GET',
    path: '/api/search',
    access: 'memory:read',
    tag: 'Search',
    summary: 'Search entities by relevance, each with its best observations',
    ...json,
    query: SearchQuery,
    response: SearchResponse,
  },
  searchObservations: {
    method: 'GET',
    path: '/api/search/observations',
    access: 'memory:read',
    tag: 'Search',
    summary: 'Search observations by relevance, each with its neighbours',
    ...json,
    query: SearchObservationsQuery,
    response: SearchObservationsResponse,
  },
  searchByBody: {
    method: 'POST',
    path: '/api/search',
    access: 'memory:read',
    tag: 'Search',
    summary: 'Search entities with a query too long for a URL',
    reads: true,
    ...json,
    body: SearchBody,
    bodyBytesMax: queryBytesMax,
    response: SearchResponse,
  },
  searchObservationsByBody: {
    method: 'POST',
    path: '/api/search/observations',
    access: 'memory:read',
    tag: 'Search',
    summary: 'Search observations with a query too long for a URL',
    reads: true,
    ...json,
    body: SearchObservationsBody,
    bodyBytesMax: queryBytesMax,
    response: SearchObservationsResponse,
  },
  previewRecall: {
    method: 'POST',
    path: '/api/search/recall',
    access: 'memory:read',
    tag: 'Search',
    summary: 'Get what an agent would recall for a question',
    reads: true,
    ...json,
    body: RecallPreview,
    bodyBytesMax: queryBytesMax,
    response: RecallPreviewResponse,
  },
})
