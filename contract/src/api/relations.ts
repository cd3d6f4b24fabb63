import { endpoints } from '../endpoint.ts'
import { TypesResponse } from '../lists.ts'
import {
  CreateRelation,
  ListRelationsQuery,
  RelationResponse,
  RelationsResponse,
  UpdateRelation,
} from '../relations.ts'
import { asProposal } from '../write-policy.ts'
import { created, empty, json } from './statuses.ts'

export const relationsApi = endpoints({
  listRelations: {
    method: 'GET',
    path: '/api/relations',
    access: 'memory:read',
    tag: 'Relations',
    summary: 'List or search relations',
    ...json,
    query: ListRelationsQuery,
    response: RelationsResponse,
  },
  listRelationTypes: {
    method: 'GET',
    path: '/api/relations/types',
    access: 'memory:read',
    tag: 'Relations',
    summary: 'List relation types by count',
    ...json,
    response: TypesResponse,
  },
  createRelation: {
    method: 'POST',
    path: '/api/relations',
    access: 'memory:write',
    proposable: true,
    tag: 'Relations',
    summary: 'Create a relation',
    ...created,
    body: CreateRelation,
    response: RelationResponse.extend(asProposal),
  },
  updateRelation: {
    method: 'PUT',
    path: '/api/relations/:id',
    access: 'memory:write',
    proposable: true,
    tag: 'Relations',
    summary: 'Change the type of a relation',
    ...json,
    body: UpdateRelation,
    response: RelationResponse.extend(asProposal),
  },
  deleteRelation: {
    method: 'DELETE',
    path: '/api/relations/:id',
    access: 'memory:write',
    proposable: true,
    tag: 'Relations',
    summary: 'Delete a relation',
    ...empty,
  },
})
