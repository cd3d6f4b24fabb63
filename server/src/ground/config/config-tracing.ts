import type { z } from 'zod'
import type { Environment } from './config-variables.ts'

const samplers = ['always_on', 'always_off', 'traceidratio'] as const

export type TracingConfig = {
  /** Where spans are sent to. */
  url: string
  /** Which requests are traced, with all their spans. */
  sampler: (typeof samplers)[number]
  /** Share of the requests, for `traceidratio`. */
  share: number
  /** What is wrong with the configuration. Only servers report it; other commands make no traces. */
  problem: string | undefined
}

/** Reads OpenTelemetry's standard variables; undefined if they turn traces off. */
export function readTracing(env: z.output<typeof Environment>): TracingConfig | undefined {
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/+$/, '')
  const url = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (endpoint && `${endpoint}/v1/traces`)
  if (url === undefined || env.OTEL_TRACES_EXPORTER === 'none') return undefined
  const name = env.OTEL_TRACES_SAMPLER.replace(/^parentbased_/, '')
  const sampler = samplers.find((known) => known === name)
  const share = Number(env.OTEL_TRACES_SAMPLER_ARG ?? 1)
  return { url, sampler: sampler ?? 'always_on', share, problem: problemOf(env, sampler, share) }
}

function problemOf(
  env: z.output<typeof Environment>,
  sampler: string | undefined,
  share: number,
): string | undefined {
  if (![undefined, 'otlp'].includes(env.OTEL_TRACES_EXPORTER))
    return 'OTEL_TRACES_EXPORTER must be otlp or none'
  if (env.OTEL_EXPORTER_OTLP_PROTOCOL !== 'http/protobuf')
    return 'OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf, on the port of the collector that takes it'
  if (sampler === undefined)
    return `OTEL_TRACES_SAMPLER must be ${samplers.join(', ')}, with or without parentbased_ before it`
  if (!(share >= 0 && share <= 1)) return 'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1'
  return undefined
}
