import type { GraphModel } from '../model/graph-model.ts'

/** 1 for visible rows; null if all are visible. */
export type Shown = { nodes: Uint8Array | null; edges: Uint8Array | null }

/** Hides parts of the picture without moving the rest. */
export class Filters {
  types: ReadonlySet<string> = new Set()
  relationTypes: ReadonlySet<string> = new Set()
  nodes: ReadonlySet<string> = new Set()
  /** ISO 8601, which sorts by time as long as all values are UTC with milliseconds. */
  until: string | null = null

  shown(model: GraphModel): Shown {
    return { nodes: this.#nodes(model), edges: this.#edges(model) }
  }

  #nodes({ nodes }: GraphModel): Uint8Array | null {
    const { types, until } = this
    if (types.size === 0 && this.nodes.size === 0 && until === null) return null
    return Uint8Array.from(nodes, ({ id, type, createdAt }) =>
      types.has(type) || this.nodes.has(id) || isLater(createdAt, until) ? 0 : 1,
    )
  }

  #edges({ edges }: GraphModel): Uint8Array | null {
    const { relationTypes, until } = this
    if (relationTypes.size === 0 && until === null) return null
    return Uint8Array.from(edges, ({ relationType, createdAt }) =>
      relationTypes.has(relationType) || isLater(createdAt, until) ? 0 : 1,
    )
  }
}

function isLater(createdAt: string | undefined, until: string | null): boolean {
  return until !== null && createdAt !== undefined && createdAt > until
}
