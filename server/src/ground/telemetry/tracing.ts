import type { Sampler, SpanExporter } from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import type { TracingConfig } from '../config/config-tracing.ts'
import { version } from '../version.ts'
import { type OpenSpan, type SpanMaker, setSpanMaker } from './events.ts'

type Sdk = typeof import('@opentelemetry/sdk-trace')

const serviceName = 'loci'
/** A collector that is away must not hold up the end of the process. */
const flushMsMax = 3_000

/** Begins to send traces to a collector. The packages for it are loaded here and nowhere else. */
export async function startTracing(
  config: TracingConfig,
  log: Logger,
): Promise<{ close: () => Promise<void> }> {
  const [api, sdk, { AsyncLocalStorageContextManager }, { OTLPTraceExporter }, resources] = await Promise.all(
    [
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/exporter-trace-otlp-proto'),
      import('@opentelemetry/resources'),
    ],
  )
  const resource = resources
    .defaultResource()
    .merge(resources.resourceFromAttributes({ 'service.name': serviceName, 'service.version': version }))
    .merge(
      resources.detectResources({ detectors: [resources.envDetector, resources.serviceNameEnvDetector] }),
    )
  const exporter = tellingExporter(new OTLPTraceExporter({ url: config.url }), log)
  const provider = new sdk.TracerProvider({
    resource,
    sampler: samplerOf(sdk, config),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  })
  const contexts = new AsyncLocalStorageContextManager().enable()
  const tracer = provider.getTracer(serviceName, version)
  const makeSpan: SpanMaker = (name, kind, attributes): OpenSpan => {
    const options = { kind: kind === 'server' ? api.SpanKind.SERVER : api.SpanKind.INTERNAL, attributes }
    const span = tracer.startSpan(name, options, contexts.active())
    const context = api.trace.setSpan(contexts.active(), span)
    return {
      run: (work) => contexts.with(context, work),
      end(more = {}, error) {
        span.setAttributes(more)
        if (error !== undefined) {
          span.setAttribute('error.type', error)
          span.setStatus({ code: api.SpanStatusCode.ERROR })
        }
        span.end()
      },
    }
  }
  setSpanMaker(makeSpan)
  return {
    async close() {
      setSpanMaker(undefined)
      contexts.disable()
      const end = AbortSignal.timeout(flushMsMax)
      const timeUp = new Promise<void>((resolve) => end.addEventListener('abort', () => resolve()))
      await Promise.race([provider.shutdown().catch(() => {}), timeUp])
    },
  }
}

function samplerOf(sdk: Sdk, { sampler, share }: TracingConfig): Sampler {
  const root = {
    always_on: () => new sdk.AlwaysOnSampler(),
    always_off: () => new sdk.AlwaysOffSampler(),
    traceidratio: () => new sdk.TraceIdRatioBasedSampler(share),
  }[sampler]()
  return new sdk.ParentBasedSampler({ root })
}

/** Says when traces cannot be sent, and when they can again, instead of each time. */
function tellingExporter(exporter: SpanExporter, log: Logger): SpanExporter {
  let hasFailed = false
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.code !== 0
        if (failed && !hasFailed) log.warn({ err: result.error }, 'traces cannot be sent; trying again')
        if (!failed && hasFailed) log.info('traces are sent again')
        hasFailed = failed
        done(result)
      })
    },
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  }
}
