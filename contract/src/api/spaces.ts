import { endpoints } from '../endpoint.ts'
import { NameSpace, SpaceResponse, SpacesResponse, UpdateSpace } from '../spaces.ts'
import { created, empty, json } from './statuses.ts'

export const spacesApi = endpoints({
  listSpaces: {
    method: 'GET',
    path: '/api/spaces',
    access: 'memory:read',
    tag: 'Spaces',
    summary: 'List the spaces that the caller can access, oldest first',
    spaceless: true,
    ...json,
    response: SpacesResponse,
  },
  createSpace: {
    method: 'POST',
    path: '/api/spaces',
    access: 'memory:write',
    restriction: 'not with credentials limited to spaces',
    tag: 'Spaces',
    summary: 'Create a space with a graph of its own',
    spaceless: true,
    ...created,
    body: NameSpace,
    response: SpaceResponse,
  },
  updateSpace: {
    method: 'PATCH',
    path: '/api/spaces/:id',
    access: 'memory:write',
    restriction: 'all but the name: `memory:review`; `conversationDays` also `conversations:write`',
    tag: 'Spaces',
    summary:
      'Rename a space, or choose what is reviewed in it, and how long its recalls and conversations are kept',
    spaceless: true,
    ...json,
    body: UpdateSpace,
    response: SpaceResponse,
  },
  deleteSpace: {
    method: 'DELETE',
    path: '/api/spaces/:id',
    access: 'account:manage',
    tag: 'Spaces',
    summary: 'Delete a space with its graph and history',
    spaceless: true,
    ...empty,
  },
})
