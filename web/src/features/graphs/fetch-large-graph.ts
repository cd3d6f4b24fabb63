import { ColumnReader, type GraphColumns } from '@loci/contract/graph-columns'
import { api } from '../../lib/api.ts'
import { createPace } from '../../lib/pace.ts'
import { depthMax, limitMax } from './graph-address.ts'
import { LiveGraph } from './live-graph.ts'
import { GraphRenewal } from './renew-graph.ts'

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
  const query = { limit: String(limit), depth: String(depth), form: 'columns' as const }
  const { body } = await api.graphStream({ query, signal })
  const renewal = new GraphRenewal(graph)
  const reader = new ColumnReader()
  let truncated: boolean | undefined
  const pace = createPace()
  for await (const line of linesOf(body!)) {
    const part = reader.read(JSON.parse(line) as GraphColumns)
    renewal.take(part)
    truncated ??= part.truncated
    await pace()
  }
  if (truncated === undefined) throw new Error('Loading the graph was interrupted')
  return renewal.end(truncated)
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
