import type { FastifyInstance } from 'fastify'
import { type OpenSpan, openSpan } from '../../ground/telemetry/events.ts'
import type { Context } from '../../tenancy/context.ts'

declare module 'fastify' {
  interface FastifyRequest {
    span: OpenSpan | undefined
  }
}

/** Creates a span for each request, named by its route pattern, if a collector is configured. */
export async function registerTracing(app: FastifyInstance, { config, log }: Context): Promise<void> {
  if (config.tracing === undefined) return
  const { startTracing } = await import('../../ground/telemetry/tracing.ts')
  const tracing = await startTracing(config.tracing, log)
  app.addHook('onClose', () => tracing.close())
  app.decorateRequest('span', undefined)
  app.addHook('onRequest', (request, _reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    const attributes = { 'http.request.method': request.method, 'http.route': route }
    request.span = openSpan(`${request.method} ${route}`, 'server', attributes)
    done()
  })
  // Set here, since the events of a body lose the async context.
  app.addHook('preHandler', (request, _reply, done) => {
    if (request.span === undefined) done()
    else request.span.run(done)
  })
  app.addHook('onResponse', (request, { statusCode }, done) => {
    const error = statusCode >= 500 ? (request.refusal ?? String(statusCode)) : undefined
    request.span?.end({ 'http.response.status_code': statusCode }, error)
    done()
  })
  app.addHook('onRequestAbort', (request, done) => {
    request.span?.end({}, 'aborted')
    done()
  })
}
