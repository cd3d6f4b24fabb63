import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../ground/errors/app-error.ts'
import { isSameSecret } from '../../ground/lib/secrets.ts'
import { minuteMs, secondMs } from '../../ground/lib/time.ts'
import { createMetrics, type Gauge } from '../../ground/telemetry/metrics.ts'
import { version } from '../../ground/version.ts'
import type { Dialect, Storage } from '../../store/dialect.ts'
import type { Context } from '../../tenancy/context.ts'

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
  // The load first: the others ask the database.
  const all = [...databaseGauges(ctx), ...gauges, ...storageGauges(ctx), infoGauge(ctx)]
  for (const gauge of all) metrics.addGauge(gauge)
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
    if (!isSameSecret(request.headers.authorization ?? '', `Bearer ${metricsToken}`)) {
      throw new AppError('not_authenticated', 'Send the token of LOCI_METRICS_TOKEN as a bearer token')
    }
    reply.type(metrics.contentType).header('cache-control', 'no-store')
    return metrics.print()
  })
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

/** PostgreSQL has to look at every file of the database. */
const storageReadEveryMs = minuteMs

/** Room and backups are known where the database is a file of ours. */
function storageGauges({ db, dialect }: Context): Gauge[] {
  let read: { at: number; storage: Promise<Storage> } | undefined
  const storage = () => {
    if (read === undefined || performance.now() - read.at > storageReadEveryMs)
      read = { at: performance.now(), storage: dialect.storage(db) }
    return read.storage
  }
  const gauge = (name: string, help: string, of: (storage: Storage) => number): Gauge => ({
    name,
    help,
    read: async () => of(await storage()),
  })
  const bytes = gauge('loci_database_bytes', 'Size of the database', (found) => found.bytes)
  if (dialect.name !== 'sqlite') return [bytes]
  return [
    bytes,
    gauge('loci_disk_free_bytes', 'Free space of the data directory', ({ file }) => file!.freeBytes),
    gauge(
      'loci_backup_timestamp_seconds',
      'When the last backup was written, in seconds since 1970; 0 if none was',
      ({ file }) => file!.backupAt / secondMs,
    ),
    gauge('loci_database_full', 'Whether writes are refused for lack of space', ({ file }) =>
      Number(file!.isFull),
    ),
    {
      name: 'loci_database_damaged',
      help: 'Whether the database file is known to be damaged',
      read: () => Number(isDamaged(dialect)),
    },
  ]
}

function isDamaged(dialect: Dialect): boolean {
  try {
    dialect.requireUndamaged()
    return false
  } catch {
    return true
  }
}

const infoGauge = ({ dialect }: Context): Gauge => ({
  name: 'loci_info',
  help: `Always 1. Runs on ${dialect.name}`,
  labelName: 'version',
  read: () => ({ [version]: 1 }),
})
