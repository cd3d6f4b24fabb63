import type { GraphPart, GraphRelation } from '@loci/contract/graph'
import { api } from '../../lib/api.ts'
import { depthMax, limitMax } from './graph-address.ts'
import { LiveGraph } from './live-graph.ts'
import { GraphRenewal } from './renew-graph.ts'

/** The longest that reading blocks the page at a time. */
const sliceMs = 12

/** Everything in the space, as far as a graph can hold it. */
export function fetchWholeGraph(signal: AbortSignal): Promise<LiveGraph> {
  return fetchLargeGraph(new LiveGraph(), limitMax, depthMax, signal)
}

/**
 * Streams a graph that exceeds one response into `graph`, line by line so that the page stays responsive. A
 * graph that is already shown is updated in place.
 */
export async function fetchLargeGraph(
  graph: LiveGraph,
  limit: number,
  depth: number,
  signal: AbortSignal,
): Promise<LiveGraph> {
  const query = { limit: String(limit), depth: String(depth) }
  const { body } = await api.graphStream({ query, signal })
  const renewal = new GraphRenewal(graph)
  let truncated: boolean | undefined
  let since = performance.now()
  for await (const line of linesOf(body!)) {
    const part = JSON.parse(line) as GraphPart
    renewal.take({ ...part, relations: part.relations?.map((relation) => withKnownIds(graph, relation)) })
    truncated ??= part.truncated
    if (performance.now() - since < sliceMs) continue
    await new Promise((resolve) => setTimeout(resolve))
    since = performance.now()
  }
  if (truncated === undefined) throw new Error('Loading the graph was interrupted')
  return renewal.end(truncated)
}

/** Keeps one string per id: a large graph names its entities half a million times. */
function withKnownIds(graph: LiveGraph, relation: GraphRelation): GraphRelation {
  const { fromEntityId, toEntityId } = relation
  return {
    ...relation,
    fromEntityId: graph.findEntity(fromEntityId)?.id ?? fromEntityId,
    toEntityId: graph.findEntity(toEntityId)?.id ?? toEntityId,
  }
}

async function* linesOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string, void> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let pieces: string[] = []
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const [head = '', ...tails] = value.split('\n')
    pieces.push(head)
    for (const tail of tails) {
      yield pieces.join('')
      pieces = [tail]
    }
  }
}
