import { bodyBytesMax, endpoints } from '../endpoint.ts'
import {
  BulkResponse,
  DeleteEntities,
  MergedResponse,
  MergeEntities,
  MovedResponse,
  MoveEntities,
  RetypeEntities,
} from '../entity-bulk.ts'
import { BatchResponse, CreateBatch } from '../graph.ts'
import { asProposal } from '../write-policy.ts'
import { json } from './statuses.ts'

/** Room for 500 ids, however they are escaped. */
const idsBytesMax = 512 * 1024

export const entityBulkApi = endpoints({
  deleteEntities: {
    method: 'POST',
    path: '/api/entities/delete',
    access: 'memory:write',
    proposable: true,
    tag: 'Entities',
    summary: 'Delete several entities with their observations and relations',
    counts: { type: 'delete' },
    ...json,
    body: DeleteEntities,
    bodyBytesMax: idsBytesMax,
    response: BulkResponse.extend(asProposal),
  },
  moveEntities: {
    method: 'POST',
    path: '/api/entities/move',
    access: 'memory:write',
    tag: 'Entities',
    summary: 'Move entities with their observations and history to another space',
    counts: { type: 'update' },
    ...json,
    body: MoveEntities,
    bodyBytesMax: idsBytesMax,
    response: MovedResponse,
  },
  retypeEntities: {
    method: 'POST',
    path: '/api/entities/retype',
    access: 'memory:write',
    proposable: true,
    tag: 'Entities',
    summary: 'Change the type of several entities',
    counts: { type: 'update' },
    ...json,
    body: RetypeEntities,
    bodyBytesMax: idsBytesMax,
    response: BulkResponse.extend(asProposal),
  },
  mergeEntities: {
    method: 'POST',
    path: '/api/entities/merge',
    access: 'memory:write',
    proposable: true,
    tag: 'Entities',
    summary: 'Merge several entities into one; their names become aliases',
    counts: { type: 'update' },
    ...json,
    body: MergeEntities,
    bodyBytesMax: idsBytesMax,
    response: MergedResponse.extend(asProposal),
  },
  createBatch: {
    method: 'POST',
    path: '/api/entities/batch',
    access: 'memory:write',
    proposable: true,
    tag: 'Entities',
    summary: 'Create entities and relations in one transaction',
    counts: { resource: 'graph' },
    ...json,
    body: CreateBatch,
    bodyBytesMax,
    response: BatchResponse.extend(asProposal),
  },
})
