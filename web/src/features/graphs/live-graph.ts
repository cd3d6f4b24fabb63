import type { GraphData, GraphEntity, GraphRelation } from '@loci/contract/graph'
import type { GraphChange } from '@loci/graph/types'

export type TypeCount = { type: string; count: number }

type Rows = Pick<GraphData, 'entities' | 'relations'>
type Node = { entity: GraphEntity; relationIds: string[] }

const byName = new Intl.Collator()

/**
 * A mutable graph, since rebuilding a large one for every event would be too slow. Its rows are replaced,
 * never mutated. `tell` notifies followers of all pending changes at once.
 */
export class LiveGraph {
  truncated = false
  /** Increases with every notification. */
  version = 0
  readonly #nodes = new Map<string, Node>()
  readonly #relations = new Map<string, GraphRelation>()
  readonly #countOfType = new Map<string, number>()
  readonly #countOfRelationType = new Map<string, number>()
  readonly #followers = new Set<(change: GraphChange) => void>()
  #types: TypeCount[] | undefined
  #relationTypes: TypeCount[] | undefined
  #guests = { entities: new Set<string>(), relations: new Set<string>() }
  #changed = false
  #set = { nodes: new Map<string, GraphEntity>(), edges: new Map<string, GraphRelation>() }
  #gone: { nodes: string[]; edges: GraphRelation[] } = { nodes: [], edges: [] }

  /** Calls `listener` with each change; returns a function that stops it. */
  readonly follow = (listener: (change: GraphChange) => void): (() => void) => {
    this.#followers.add(listener)
    return () => this.#followers.delete(listener)
  }

  get entityCount(): number {
    return this.#nodes.size
  }

  get relationCount(): number {
    return this.#relations.size
  }

  entities(): Iterable<GraphEntity> {
    return this.#nodes.values().map(({ entity }) => entity)
  }

  relations(): Iterable<GraphRelation> {
    return this.#relations.values()
  }

  has(id: string): boolean {
    return this.#nodes.has(id)
  }

  findEntity(id: string | undefined): GraphEntity | undefined {
    return id === undefined ? undefined : this.#nodes.get(id)?.entity
  }

  findRelation(id: string): GraphRelation | undefined {
    return this.#relations.get(id)
  }

  relationsAt(entityId: string): GraphRelation[] {
    return (this.#nodes.get(entityId)?.relationIds ?? []).map((id) => this.#relations.get(id)!)
  }

  /** Visits each entity with the number of relations that have it as an end. */
  eachEntity(visit: (entity: GraphEntity, relations: number) => void): void {
    for (const { entity, relationIds } of this.#nodes.values()) visit(entity, relationIds.length)
  }

  /** The number of relations that have the entity as an end. */
  countRelationsAt(entityId: string): number {
    return this.#nodes.get(entityId)?.relationIds.length ?? 0
  }

  /** The entity types, most frequent first; the same array while nothing about it changes. */
  get types(): readonly TypeCount[] {
    this.#types ??= mostFrequentFirst(this.#countOfType)
    return this.#types
  }

  /** The relation types, in the same way. */
  get relationTypes(): readonly TypeCount[] {
    this.#relationTypes ??= mostFrequentFirst(this.#countOfRelationType)
    return this.#relationTypes
  }

  setEntity(entity: GraphEntity): void {
    const node = this.#nodes.get(entity.id)
    if (node && isSameEntity(node.entity, entity)) return
    if (node?.entity.type !== entity.type) {
      if (node) this.#countType(node.entity.type, -1)
      this.#countType(entity.type, 1)
    }
    if (node) node.entity = entity
    else this.#nodes.set(entity.id, { entity, relationIds: [] })
    this.#changed = true
    if (this.#followers.size > 0) this.#set.nodes.set(entity.id, entity)
  }

  /** Also removes its relations. */
  removeEntity(id: string): void {
    const node = this.#nodes.get(id)
    if (!node) return
    for (const relationId of [...node.relationIds]) this.removeRelation(relationId)
    this.#nodes.delete(id)
    this.#countType(node.entity.type, -1)
    this.#changed = true
    this.#set.nodes.delete(id)
    this.#gone.nodes.push(id)
  }

  /** Ignored while either end is missing. */
  setRelation(relation: GraphRelation): void {
    const { id, relationType } = relation
    const before = this.#relations.get(id)
    if (before?.relationType === relationType) return
    const from = this.#nodes.get(relation.fromEntityId)
    const to = this.#nodes.get(relation.toEntityId)
    if (!from || !to) return
    if (before) this.#countRelationType(before.relationType, -1)
    this.#countRelationType(relationType, 1)
    this.#relations.set(id, relation)
    if (!before) {
      from.relationIds.push(id)
      if (to !== from) to.relationIds.push(id)
    }
    this.#changed = true
    if (this.#followers.size > 0) this.#set.edges.set(id, relation)
  }

  removeRelation(id: string): void {
    const relation = this.#relations.get(id)
    if (!relation) return
    for (const end of [relation.fromEntityId, relation.toEntityId]) {
      const ids = this.#nodes.get(end)!.relationIds
      const place = ids.indexOf(id)
      if (place >= 0) ids.splice(place, 1)
    }
    this.#relations.delete(id)
    this.#countRelationType(relation.relationType, -1)
    this.#changed = true
    this.#set.edges.delete(id)
    this.#gone.edges.push(relation)
  }

  /** Shows these in addition to the graph, replacing the previous guests. */
  setGuests(rows: Rows): void {
    const before = this.#guests
    const isOwnEntity = (id: string) => this.has(id) && !before.entities.has(id)
    const isOwnRelation = (id: string) => this.#relations.has(id) && !before.relations.has(id)
    const entities = rows.entities.filter(({ id }) => !isOwnEntity(id))
    const relations = rows.relations.filter(({ id }) => !isOwnRelation(id))
    this.#guests = { entities: idsOf(entities), relations: idsOf(relations) }
    for (const id of before.relations) if (!this.#guests.relations.has(id)) this.removeRelation(id)
    for (const id of before.entities) if (!this.#guests.entities.has(id)) this.removeEntity(id)
    for (const entity of entities) this.setEntity(entity)
    for (const relation of relations) this.setRelation(relation)
    this.tell()
  }

  /** Removes everything that belongs to the graph but is not listed here. */
  keepOnly(entityIds: ReadonlySet<string>, relationIds: ReadonlySet<string>): void {
    for (const id of entityIds) this.#guests.entities.delete(id)
    for (const id of relationIds) this.#guests.relations.delete(id)
    const { entities, relations } = this.#guests
    for (const id of this.#relations.keys())
      if (!relationIds.has(id) && !relations.has(id)) this.removeRelation(id)
    for (const id of this.#nodes.keys()) if (!entityIds.has(id) && !entities.has(id)) this.removeEntity(id)
  }

  /** Ends a change and notifies followers. */
  tell(): void {
    if (!this.#changed) return
    const change = {
      nodes: [...this.#set.nodes.values()],
      edges: [...this.#set.edges.values()],
      nodesGone: this.#gone.nodes,
      edgesGone: this.#gone.edges,
    }
    this.#changed = false
    this.#set = { nodes: new Map(), edges: new Map() }
    this.#gone = { nodes: [], edges: [] }
    this.version++
    for (const follower of this.#followers) follower(change)
  }

  #countType(type: string, by: 1 | -1): void {
    count(this.#countOfType, type, by)
    this.#types = undefined
  }

  #countRelationType(type: string, by: 1 | -1): void {
    count(this.#countOfRelationType, type, by)
    this.#relationTypes = undefined
  }
}

function count(counts: Map<string, number>, type: string, by: 1 | -1): void {
  const number = (counts.get(type) ?? 0) + by
  if (number > 0) counts.set(type, number)
  else counts.delete(type)
}

function mostFrequentFirst(counts: ReadonlyMap<string, number>): TypeCount[] {
  return [...counts]
    .map(([type, count]) => ({ type, count }))
    .sort((a, b) => b.count - a.count || byName.compare(a.type, b.type))
}

export function liveGraphOf(data: GraphData): LiveGraph {
  const graph = new LiveGraph()
  for (const entity of data.entities) graph.setEntity(entity)
  for (const relation of data.relations) graph.setRelation(relation)
  graph.truncated = data.truncated
  graph.tell()
  return graph
}

function isSameEntity(a: GraphEntity, b: GraphEntity): boolean {
  return (
    a.name === b.name &&
    a.type === b.type &&
    a.observationsCount === b.observationsCount &&
    a.updatedAt === b.updatedAt
  )
}

function idsOf(rows: readonly { id: string }[]): Set<string> {
  return new Set(rows.map(({ id }) => id))
}
