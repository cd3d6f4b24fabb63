import type { FastifyInstance } from 'fastify'
import { AppError } from '../../ground/errors/app-error.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** `now` is true once the server was asked to stop, so that load balancers stop sending requests. */
    stopping: { now: boolean }
  }
}

/** Once the server was asked to stop, proxies are told not to keep the connections over which they still send requests. */
export function registerStopping(app: FastifyInstance): void {
  app.decorate('stopping', { now: false })
  app.addHook('onRequest', (_request, reply, done) => {
    if (app.stopping.now) reply.raw.shouldKeepAlive = false
    done()
  })
}

/** Throws `shutting_down`. */
export function requireNotStopping({ stopping }: FastifyInstance): void {
  if (stopping.now) throw new AppError('shutting_down', 'The server is shutting down', { retryAfter: 5 })
}
