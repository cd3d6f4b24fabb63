import { endpoints } from '../endpoint.ts'
import { ApiKeysResponse, CreateApiKey, NewApiKey, RolledKeyResponse, UpdateApiKey } from '../keys.ts'
import { created, empty, json } from './statuses.ts'

export const keysApi = endpoints({
  listKeys: {
    method: 'GET',
    path: '/api/keys',
    access: 'keys:manage',
    tag: 'API keys',
    summary: 'List API keys',
    ...json,
    response: ApiKeysResponse,
  },
  createKey: {
    method: 'POST',
    path: '/api/keys',
    access: 'keys:manage',
    tag: 'API keys',
    summary: 'Create an API key; the full key is returned only once',
    secret: true,
    ...created,
    body: CreateApiKey,
    response: NewApiKey,
  },
  updateKey: {
    method: 'PATCH',
    path: '/api/keys/:id',
    access: 'keys:manage',
    tag: 'API keys',
    summary: 'Choose how far a key gets into a space, and whether what it writes waits for a review',
    ...empty,
    body: UpdateApiKey,
  },
  rollKey: {
    method: 'POST',
    path: '/api/keys/:id/roll',
    access: 'keys:manage',
    tag: 'API keys',
    summary: 'Replace a key; the old one works for two more weeks',
    counts: { type: 'update' },
    secret: true,
    ...json,
    response: RolledKeyResponse,
  },
  deleteKey: {
    method: 'DELETE',
    path: '/api/keys/:id',
    access: 'keys:manage',
    tag: 'API keys',
    summary: 'Delete a key at once',
    ...empty,
  },
})
