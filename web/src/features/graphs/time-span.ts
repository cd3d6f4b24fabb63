import type { LiveGraph } from './live-graph.ts'

export type TimeSpan = {
  /** Milliseconds since 1970. */
  start: number
  end: number
  /** The number of entities created in each of equal parts of the span. */
  counts: readonly number[]
}

/** The span of a graph when it had so many entities. */
export type SpanOf = { graph: LiveGraph; entityCount: number; span: TimeSpan | undefined }

const parts = 48
/** Changes of fewer entities than this share are not seen in the histogram. */
const staleShare = 0.005
/** For graphs whose entities were all created at once. */
const spanMin = 60_000

/** The span from the creation of a graph's first entity until now; undefined without entities. */
export function timeSpanOf(graph: LiveGraph, now: number): TimeSpan | undefined {
  const times: number[] = []
  let start = Number.POSITIVE_INFINITY
  for (const { createdAt } of graph.entities()) {
    const time = Date.parse(createdAt)
    times.push(time)
    if (time < start) start = time
  }
  if (times.length === 0) return undefined
  start = Math.min(start, now - spanMin)
  const counts = new Array<number>(parts).fill(0)
  for (const time of times) counts[partOf(time, start, now)]! += 1
  return { start, end: now, counts }
}

/** The same span as before while the graph has hardly changed: a large one takes long to read. */
export function keepSpan(before: SpanOf | undefined, graph: LiveGraph, now: number): SpanOf {
  const { entityCount } = graph
  const isSame =
    before?.graph === graph && Math.abs(entityCount - before.entityCount) <= staleShare * before.entityCount
  return isSame ? before : { graph, entityCount, span: timeSpanOf(graph, now) }
}

function partOf(time: number, start: number, end: number): number {
  return Math.max(0, Math.min(parts - 1, Math.floor(((time - start) / (end - start)) * parts)))
}

/** How strongly to highlight each node: 1 for one changed just now, 0 beyond the span. */
export function recencies(graph: LiveGraph, now: number, spanMs: number): Map<string, number> {
  const strengths = new Map<string, number>()
  for (const { id, updatedAt } of graph.entities()) {
    const strength = 1 - (now - Date.parse(updatedAt)) / spanMs
    if (strength > 0) strengths.set(id, Math.min(1, strength))
  }
  return strengths
}
