import { endpoints } from '../endpoint.ts'
import { CreatedShare, CreateShare, SharesResponse } from '../shares.ts'
import { created, empty, json } from './statuses.ts'

export const sharesApi = endpoints({
  listShares: {
    method: 'GET',
    path: '/api/shares',
    access: 'memory:share',
    tag: 'Shares',
    summary: 'List the read-only pages that show a part of the graph to people without an account',
    ...json,
    response: SharesResponse,
  },
  createShare: {
    method: 'POST',
    path: '/api/shares',
    access: 'memory:share',
    tag: 'Shares',
    summary: 'Share a region, a path, an entity or a date as a read-only page',
    secret: true,
    ...created,
    body: CreateShare,
    response: CreatedShare,
  },
  deleteShare: {
    method: 'DELETE',
    path: '/api/shares/:id',
    access: 'memory:share',
    tag: 'Shares',
    summary: 'Stop sharing a page',
    ...empty,
  },
})
