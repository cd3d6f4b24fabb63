import type { FastifyInstance } from 'fastify'
import { AppError } from '../../ground/errors/app-error.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** `now` is true once the server was asked to stop, so that load balancers stop sending requests. */
    stopping: { now: boolean }
  }
}

export function registerStopping(app: FastifyInstance): void {
  app.decorate('stopping', { now: false })
}

/** Throws `shutting_down`. */
export function requireNotStopping({ stopping }: FastifyInstance): void {
  if (stopping.now) throw new AppError('shutting_down', 'The server is shutting down', { retryAfter: 5 })
}
