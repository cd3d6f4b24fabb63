import type { GraphData } from '@loci/contract/graph'
import type { LiveGraph } from './live-graph.ts'

/** Takes an answer of the server into a graph, in parts; what the answer did not name is gone at its end. */
export class GraphRenewal {
  readonly #graph: LiveGraph
  // Nothing can go from an empty graph.
  readonly #named: { entities: Set<string>; relations: Set<string> } | undefined

  constructor(graph: LiveGraph) {
    this.#graph = graph
    if (graph.entityCount > 0) this.#named = { entities: new Set(), relations: new Set() }
  }

  take({ entities = [], relations = [] }: Partial<GraphData>): void {
    for (const entity of entities) {
      this.#graph.setEntity(entity)
      this.#named?.entities.add(entity.id)
    }
    for (const relation of relations) {
      this.#graph.setRelation(relation)
      this.#named?.relations.add(relation.id)
    }
    this.#graph.tell()
  }

  end(truncated: boolean): LiveGraph {
    if (this.#named) this.#graph.keepOnly(this.#named.entities, this.#named.relations)
    this.#graph.truncated = truncated
    this.#graph.tell()
    return this.#graph
  }
}
