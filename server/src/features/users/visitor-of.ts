import type { FastifyRequest } from 'fastify'
import { networkOf } from '../../ground/lib/networks.ts'
import type { Visitor } from './start-session.ts'

export const visitorOf = (request: FastifyRequest): Visitor => ({
  address: networkOf(request.ip ?? ''),
  userAgent: request.headers['user-agent'] ?? '',
})
