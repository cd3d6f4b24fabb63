import { channel } from 'node:diagnostics_channel'

/** Something that is measured. While nobody listens, publishing costs a look at `isHeard`. */
export type Measured<T> = {
  readonly isHeard: boolean
  publish: (event: T) => void
  /** Calls `listener` until the answer is called. */
  subscribe: (listener: (event: T) => void) => () => void
}

function measured<T>(name: string): Measured<T> {
  const events = channel(name)
  return {
    get isHeard() {
      return events.hasSubscribers
    },
    publish: (event) => events.publish(event),
    subscribe(listener) {
      const receive = (event: unknown) => listener(event as T)
      events.subscribe(receive)
      return () => void events.unsubscribe(receive)
    },
  }
}

/** A transaction ended: how long it waited for its turn, and how long it and its commit took. */
export const transactionEnded = measured<{
  waitMs: number
  runMs: number
  outcome: 'committed' | 'failed'
}>('loci:transaction')

/** A connection was taken from PostgreSQL's pool. */
export const connectionTaken = measured<{ waitMs: number }>('loci:connection')

/** An MCP tool answered. */
export const toolAnswered = measured<{ tool: string; ms: number; outcome: 'ok' | 'refused' | 'failed' }>(
  'loci:tool',
)

/** Changes reached those who listen to the change log; `at` is when the newest was made (ISO 8601). */
export const changesDelivered = measured<{ at: string }>('loci:changes')

/** A mail or a webhook could not be delivered: it is tried again, or given up. */
export const deliveryFailed = measured<{ what: 'mail' | 'webhook'; outcome: 'retried' | 'given_up' }>(
  'loci:delivery',
)

/** A password, a second factor or a passkey was wrong. */
export const signInFailed = measured<{ code: string }>('loci:sign-in')

/** A background job looked for work; `isIdle` when there was none. */
export const jobLooked = measured<{ job: string; isIdle: boolean }>('loci:job')

/** What a span says beside its name: little, ours, and nothing that a caller has sent. */
export type SpanAttributes = Record<string, string | number>

/** A span that is open. */
export type OpenSpan = {
  /** Runs `work` so that spans begun in it are children of this one. */
  run: <T>(work: () => T) => T
  /** `error` is a code where it went wrong. */
  end: (attributes?: SpanAttributes, error?: string) => void
}

export type SpanMaker = (name: string, kind: 'server' | 'internal', attributes: SpanAttributes) => OpenSpan

let makeSpan: SpanMaker | undefined

/** Begins, or with undefined ends, to make spans in this process. */
export function setSpanMaker(maker: SpanMaker | undefined): void {
  makeSpan = maker
}

/** Undefined while nobody traces. */
export function openSpan(
  name: string,
  kind: 'server' | 'internal',
  attributes: SpanAttributes,
): OpenSpan | undefined {
  return makeSpan?.(name, kind, attributes)
}

/** Runs `work` in a span of its own, where somebody traces. */
export function inSpan<T>(name: string, attributes: SpanAttributes, work: () => Promise<T>): Promise<T> {
  const span = openSpan(name, 'internal', attributes)
  return span === undefined ? work() : runAndEnd(span, work)
}

async function runAndEnd<T>(span: OpenSpan, work: () => Promise<T>): Promise<T> {
  try {
    const result = await span.run(work)
    span.end()
    return result
  } catch (error) {
    span.end({}, nameOf(error))
    throw error
  }
}

/** Its message may repeat what a caller sent. */
const nameOf = (error: unknown) => (error instanceof Error ? error.name : 'error')
