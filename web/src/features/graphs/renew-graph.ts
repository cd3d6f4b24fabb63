import type { GraphData } from '@loci/contract/graph'
import type { LiveGraph } from './live-graph.ts'

/** Applies a server response to a graph in parts; at the end, removes everything that the response did not contain. */
export class GraphRenewal {
  readonly #graph: LiveGraph
  // Nothing can be removed from an empty graph.
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
