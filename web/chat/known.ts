import type { GraphChange, GraphEdge, GraphNode } from '@loci/graph/types'
import type { Found } from './found.ts'

/** Everything shown so far, accumulated over tool results. */
export class Known {
  readonly nodes = new Map<string, GraphNode>()
  readonly edges = new Map<string, GraphEdge>()
  readonly facts = new Map<string, string[]>()
  /** In order of arrival, which determines their colours. */
  readonly types: string[] = []
  names: string[] = []

  /** Adds a result; returns what is new or more complete. */
  take({ nodes, edges, facts }: Found): GraphChange {
    const better = nodes.flatMap((node) => {
      const known = this.nodes.get(node.id)
      const merged = {
        ...node,
        type: node.type || known?.type || '',
        observationsCount: Math.max(node.observationsCount, known?.observationsCount ?? 0),
      }
      if (known?.type === merged.type && known.observationsCount === merged.observationsCount) return []
      this.nodes.set(node.id, merged)
      if (!this.types.includes(merged.type)) this.types.push(merged.type)
      return [merged]
    })
    const fresh = edges.filter(({ id }) => !this.edges.has(id))
    for (const edge of fresh) this.edges.set(edge.id, edge)
    for (const [name, texts] of facts) if (texts.length > 0) this.facts.set(name, texts)
    return { nodes: better, edges: fresh }
  }

  edgesOf(name: string): GraphEdge[] {
    return [...this.edges.values()].filter(
      ({ fromEntityId, toEntityId }) => fromEntityId === name || toEntityId === name,
    )
  }
}
