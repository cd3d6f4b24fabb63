import type { GraphData, GraphPart } from '@loci/contract/graph'
import { api } from '../../lib/api.ts'

/** As long as reading may hold up the page at a time. */
const sliceMs = 12

/** A graph beyond what one answer holds, read line by line so that the page stays free meanwhile. */
export async function fetchLargeGraph(limit: number, depth: number, signal: AbortSignal): Promise<GraphData> {
  const query = { limit: String(limit), depth: String(depth) }
  const { body } = await api.graphStream({ query, signal })
  const entities: GraphData['entities'] = []
  const relations: GraphData['relations'] = []
  // Each id once: a large graph names its entities half a million times.
  const ids = new Map<string, string>()
  let truncated: boolean | undefined
  let since = performance.now()
  for await (const line of linesOf(body!)) {
    const part = JSON.parse(line) as GraphPart
    for (const entity of part.entities ?? []) {
      entities.push(entity)
      ids.set(entity.id, entity.id)
    }
    for (const relation of part.relations ?? []) {
      const { fromEntityId, toEntityId } = relation
      relations.push({
        ...relation,
        fromEntityId: ids.get(fromEntityId) ?? fromEntityId,
        toEntityId: ids.get(toEntityId) ?? toEntityId,
      })
    }
    truncated ??= part.truncated
    if (performance.now() - since < sliceMs) continue
    await new Promise((resolve) => setTimeout(resolve))
    since = performance.now()
  }
  if (truncated === undefined) throw new Error('The graph broke off')
  return { entities, relations, truncated }
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
