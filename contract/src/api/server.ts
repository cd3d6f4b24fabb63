import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { json } from './statuses.ts'

/** How a call arrived at the server; `address` is the caller's as far as the proxies in front are trusted. */
const SeenCaller = z.object({ address: z.string(), protocol: z.string(), host: z.string() })

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
  seenCaller: {
    method: 'GET',
    path: '/api/caller',
    access: 'public',
    tag: 'Server',
    summary: 'Say from which address, and as which host, this call arrived: what a proxy in front passes on',
    ...json,
    response: SeenCaller,
  },
})
