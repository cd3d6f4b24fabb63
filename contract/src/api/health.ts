import { endpoints } from '../endpoint.ts'
import {
  DismissedHealthItem,
  EraseObservation,
  EraseObservationResponse,
  MemoryHealth,
  MemoryHealthQuery,
} from '../health.ts'
import { empty, json } from './statuses.ts'

const counts = { resource: 'observation' }

export const healthApi = endpoints({
  getMemoryHealth: {
    method: 'GET',
    path: '/api/health/memory',
    access: 'memory:read',
    tag: 'Health',
    summary: 'List what may be wrong with the memory, the worst first',
    counts,
    ...json,
    query: MemoryHealthQuery,
    response: MemoryHealth,
  },
  dismissHealthItem: {
    method: 'POST',
    path: '/api/health/memory/dismiss',
    access: 'memory:write',
    tag: 'Health',
    summary: 'Leave an item as it is, so that it is not listed again',
    counts,
    ...empty,
    body: DismissedHealthItem,
  },
  undismissHealthItem: {
    method: 'POST',
    path: '/api/health/memory/undismiss',
    access: 'memory:write',
    tag: 'Health',
    summary: 'List an item again',
    counts: { ...counts, type: 'delete' },
    ...empty,
    body: DismissedHealthItem,
  },
  eraseObservation: {
    method: 'POST',
    path: '/api/observations/:id/erase',
    access: 'memory:review',
    tag: 'Health',
    summary:
      'Erase an observation permanently, including its history; it can leave another text in its place',
    counts: { ...counts, type: 'delete' },
    ...json,
    body: EraseObservation,
    bodyBytesMax: 1024 * 1024,
    remote: true,
    response: EraseObservationResponse,
  },
})
