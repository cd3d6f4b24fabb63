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
