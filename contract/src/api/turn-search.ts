import { endpoints } from '../endpoint.ts'
import { SearchTurnsQuery, SearchTurnsResponse } from '../turn-search.ts'
import { json } from './statuses.ts'

export const turnSearchApi = endpoints({
  searchTurns: {
    method: 'GET',
    path: '/api/search/turns',
    access: 'conversations:read',
    tag: 'Conversations',
    summary: 'Search what was said by relevance, each turn with those around it',
    refusal: 'You can read this memory, but not its conversations. This needs the right conversations:read.',
    counts: { resource: 'conversation' },
    ...json,
    query: SearchTurnsQuery,
    response: SearchTurnsResponse,
  },
})
