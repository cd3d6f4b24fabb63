import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { AppError } from '../errors/app-error.ts'
import { createMetrics, type Gauge } from '../telemetry/metrics.ts'
import { version } from '../version.ts'

const unknownRoute = 'unknown'

/** Serves `/metrics` to callers with its token. Without `LOCI_METRICS_TOKEN` there is no such route and no overhead. */
export async function registerMetrics(
  app: FastifyInstance,
  ctx: Context,
  gauges: readonly Gauge[],
): Promise<void> {
  const { metricsToken } = ctx.config
  if (metricsToken === undefined) return
  const metrics = await createMetrics(ctx.now)
  for (const gauge of [...gauges, ...databaseGauges(ctx), infoGauge(ctx)]) metrics.addGauge(gauge)
  const labelsOf = ({ method, routeOptions }: FastifyRequest) => ({
    method,
    route: routeOptions.url ?? unknownRoute,
  })
  app.addHook('onResponse', (request, reply, done) => {
    metrics.requestEnded({ ...labelsOf(request), status: reply.statusCode }, reply.elapsedTime)
    done()
  })
  app.addHook('onRequestAbort', (request, done) => {
    metrics.requestAborted(labelsOf(request))
    done()
  })
  app.addHook('onClose', async () => metrics.close())
  app.get('/metrics', async (request, reply) => {
    if (!isSameSecret(request.headers.authorization, `Bearer ${metricsToken}`)) {
      throw new AppError('not_authenticated', 'Send the token of LOCI_METRICS_TOKEN as a bearer token')
    }
    reply.type(metrics.contentType).header('cache-control', 'no-store')
    return metrics.print()
  })
}

/** Compares in constant time. */
function isSameSecret(given: string | undefined, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given ?? ''), digest(expected))
}

function databaseGauges({ dialect }: Context): Gauge[] {
  const waiting: Gauge = {
    name: 'loci_db_transactions_waiting',
    help: 'Transactions that wait for their turn',
    read: () => dialect.load().transactionsWaiting,
  }
  if (dialect.load().pool === undefined) return [waiting]
  const connections: Gauge = {
    name: 'loci_db_pool_connections',
    help: 'Connections to PostgreSQL',
    labelName: 'state',
    read: () => {
      const { open, idle } = dialect.load().pool!
      return { busy: open - idle, idle }
    },
  }
  const callers: Gauge = {
    name: 'loci_db_pool_waiting',
    help: 'Callers that wait for a connection to PostgreSQL',
    read: () => dialect.load().pool!.waiting,
  }
  return [waiting, connections, callers]
}

const infoGauge = ({ dialect }: Context): Gauge => ({
  name: 'loci_info',
  help: `Always 1. Runs on ${dialect.name}`,
  labelName: 'version',
  read: () => ({ [version]: 1 }),
})
