import type { Histogram, Registry } from 'prom-client'
import {
  changesDelivered,
  connectionTaken,
  deliveryFailed,
  jobLooked,
  signInFailed,
  toolAnswered,
  transactionEnded,
} from './events.ts'

type PromClient = typeof import('prom-client')

/** A number that is read when the metrics are asked for. */
export type Gauge = {
  name: string
  help: string
  /** By the value of the label `labelName`, where there is one. */
  read: () => number | Record<string, number> | Promise<number>
  labelName?: string
}

/** What this process measures of itself, for Prometheus. */
export type Metrics = {
  contentType: string
  requestEnded: (labels: { method: string; route: string; status: number }, ms: number) => void
  /** The caller left before the answer had ended. */
  requestAborted: (labels: { method: string; route: string }) => void
  addGauge: (gauge: Gauge) => void
  /** In Prometheus' text format. */
  print: () => Promise<string>
  close: () => void
}

const secondsBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const inSeconds = (ms: number) => ms / 1_000

/**
 * Begins to measure. Values of labels are few and ours: patterns of routes and names of tools, never ids or texts.
 * @param now milliseconds since 1970
 */
export async function createMetrics(now: () => number): Promise<Metrics> {
  const client = await loadClient()
  const registry = new client.Registry()
  client.collectDefaultMetrics({ register: registry })
  const seconds = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new client.Histogram({ name, help, labelNames, buckets: secondsBuckets, registers: [registry] })
  const requests = seconds('loci_http_request_duration_seconds', 'Requests, by pattern of the route', [
    'method',
    'route',
    'status',
  ])
  const aborted = new client.Counter({
    name: 'loci_http_requests_aborted_total',
    help: 'Requests whose caller left before the answer had ended, by pattern of the route',
    labelNames: ['method', 'route'],
    registers: [registry],
  })
  const stops = observe(seconds, now)
  stops.push(addJobs(client, registry, now), ...countFailures(client, registry))
  return {
    contentType: registry.contentType,
    requestEnded: (labels, ms) => requests.observe(labels, inSeconds(ms)),
    requestAborted: (labels) => aborted.inc(labels),
    addGauge: (gauge) => addGauge(client, registry, gauge),
    print: () => registry.metrics(),
    close() {
      for (const stop of stops) stop()
      registry.clear()
    },
  }
}

/** Prometheus' client is loaded by servers that are asked for metrics only. */
async function loadClient(): Promise<PromClient> {
  const loaded = await import('prom-client')
  return loaded.default ?? loaded
}

type MakeHistogram = <L extends string>(name: string, help: string, labels?: readonly L[]) => Histogram<L>

function observe(seconds: MakeHistogram, now: () => number): (() => void)[] {
  const tools = seconds('loci_mcp_tool_duration_seconds', 'Calls of MCP tools', ['tool', 'outcome'])
  const transactions = seconds(
    'loci_db_transaction_duration_seconds',
    'Transactions from their turn to their commit',
    ['outcome'],
  )
  const turns = seconds('loci_db_transaction_wait_seconds', 'What transactions waited for their turn')
  const connections = seconds('loci_db_pool_wait_seconds', 'What was waited for a connection to PostgreSQL')
  const deliveries = seconds(
    'loci_change_delivery_seconds',
    'From a change to its delivery to those who listen to the change log',
  )
  return [
    toolAnswered.subscribe(({ tool, ms, outcome }) => tools.observe({ tool, outcome }, inSeconds(ms))),
    transactionEnded.subscribe(({ waitMs, runMs, outcome }) => {
      turns.observe(inSeconds(waitMs))
      transactions.observe({ outcome }, inSeconds(runMs))
    }),
    connectionTaken.subscribe(({ waitMs }) => connections.observe(inSeconds(waitMs))),
    changesDelivered.subscribe(({ at }) =>
      deliveries.observe(Math.max(0, inSeconds(now() - Date.parse(at)))),
    ),
  ]
}

function countFailures(client: PromClient, registry: Registry): (() => void)[] {
  const counter = (name: string, help: string, labelNames: string[] = []) =>
    new client.Counter({ name, help, labelNames, registers: [registry] })
  const outcome = ['outcome']
  const failed = {
    mail: counter('loci_mails_failed_total', 'Attempts to send a mail that failed', outcome),
    webhook: counter('loci_webhooks_failed_total', 'Attempts to deliver an event that failed', outcome),
  }
  const signIns = counter('loci_sign_ins_failed_total', 'Wrong passwords, second factors and passkeys')
  return [
    deliveryFailed.subscribe(({ what, outcome }) => failed[what].inc({ outcome })),
    signInFailed.subscribe(() => signIns.inc()),
  ]
}

/** How long each background job has had work without coming to its end. */
function addJobs(client: PromClient, registry: Registry, now: () => number): () => void {
  const behindSince = new Map<string, number | undefined>()
  addGauge(client, registry, {
    name: 'loci_job_behind_seconds',
    help: 'How long a background job has had work to do; 0 when it has caught up',
    labelName: 'job',
    read: () =>
      Object.fromEntries(
        [...behindSince].map(([job, since]) => [job, since === undefined ? 0 : inSeconds(now() - since)]),
      ),
  })
  return jobLooked.subscribe(({ job, isIdle }) =>
    behindSince.set(job, isIdle ? undefined : (behindSince.get(job) ?? now())),
  )
}

function addGauge(client: PromClient, registry: Registry, { name, help, labelName, read }: Gauge): void {
  new client.Gauge({
    name,
    help,
    labelNames: labelName === undefined ? [] : [labelName],
    registers: [registry],
    async collect() {
      const value = await read()
      if (typeof value === 'number') return this.set(value)
      for (const [label, number] of Object.entries(value)) this.set({ [labelName!]: label }, number)
    },
  })
}
