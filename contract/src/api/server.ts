import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { json } from './statuses.ts'

export const serverApi = endpoints({
  health: {
    method: 'GET',
    path: '/healthz',
    access: 'public',
    tag: 'Server',
    summary: 'Is the process up?',
    ...json,
    response: z.object({ status: z.literal('ok') }),
  },
  ready: {
    method: 'GET',
    path: '/readyz',
    access: 'public',
    tag: 'Server',
    summary: 'Does the database answer?',
    ...json,
    response: z.object({ status: z.literal('ok') }),
  },
})
