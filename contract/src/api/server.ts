import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { json } from './statuses.ts'

export const serverApi = endpoints({
  health: {
    method: 'GET',
    path: '/healthz',
    access: 'public',
    tag: 'Server',
    summary: 'Check that the process is running',
    ...json,
    response: z.object({ status: z.literal('ok') }),
  },
  ready: {
    method: 'GET',
    path: '/readyz',
    access: 'public',
    tag: 'Server',
    summary: 'Check that the database responds',
    ...json,
    response: z.object({ status: z.literal('ok') }),
  },
})
