import type { GraphEntity } from '@loci/contract/graph'
import type { LiveGraph } from './live-graph.ts'

/** The entities with the most relations in the graph, at least one, found in one pass. */
export function mostConnected(
  graph: LiveGraph,
  max: number,
): readonly { entity: GraphEntity; relations: number }[] {
  const best: { entity: GraphEntity; relations: number }[] = []
  graph.eachEntity((entity, relations) => {
    if (relations === 0) return
    if (best.length === max && relations <= best[max - 1]!.relations) return
    const place = best.findIndex((other) => relations > other.relations)
    best.splice(place < 0 ? best.length : place, 0, { entity, relations })
    best.length = Math.min(best.length, max)
  })
  return best
}
