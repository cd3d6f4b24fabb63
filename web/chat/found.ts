import type { GraphEdge, GraphNode } from '@loci/graph/types'
import { plainText } from '../src/ui/markdown/plain-text.ts'

/** The part of the graph in the result of one of our tools. */
export type Found = {
  /** The matching entities, best first; `nodes` also has their neighbours. */
  names: string[]
  nodes: GraphNode[]
  edges: GraphEdge[]
  /** Facts by the name of their entity. */
  facts: Map<string, string[]>
}

type Entity = { name: string; entityType?: string; observationsCount?: number; observations?: unknown[] }
type Relation = { from: string; to: string; relationType: string }
type Answer = {
  entity?: Entity
  entities?: Entity[]
  relations?: Relation[]
  observations?: { entity: Entity; content: string }[]
}

/** Reads the results in fields of recall, open_nodes, search_nodes, explore_entity and find_path. */
export function readFound(structured: unknown): Found {
  const { entity, entities = [], relations = [], observations = [] } = Object(structured) as Answer
  const centre = entity === undefined ? [] : [entity]
  const answering = [...centre, ...observations.map((fact) => fact.entity)]
  const named = relations.flatMap(({ from, to }) => [{ name: from }, { name: to }])
  const facts = new Map<string, string[]>()
  const note = (name: string, texts: string[]) =>
    facts.set(name, [...(facts.get(name) ?? []), ...texts.map((text) => plainText(text))])
  for (const { name, observations: own = [] } of [...centre, ...entities]) note(name, own.map(textOf))
  for (const fact of observations) note(fact.entity.name, [fact.content])
  return {
    names: distinct((answering.length > 0 ? answering : entities.length > 0 ? entities : named).map(nameOf)),
    nodes: toNodes([...answering, ...entities, ...named]),
    edges: relations.map(toEdge),
    facts,
  }
}

/** Facts of an entity are listed oldest first. */
const textOf = (fact: unknown) =>
  typeof fact === 'string' ? fact : String((Object(fact) as { content?: unknown }).content ?? '')
const nameOf = ({ name }: Entity) => name
const distinct = (names: string[]) => [...new Set(names)]

/** Merges duplicates, keeping the type if any has one, and the highest count. */
function toNodes(entities: Entity[]): GraphNode[] {
  const nodes = new Map<string, GraphNode>()
  for (const { name, entityType, observationsCount, observations } of entities) {
    const known = nodes.get(name)
    nodes.set(name, {
      id: name,
      name,
      type: known?.type || entityType || '',
      observationsCount: Math.max(
        known?.observationsCount ?? 0,
        observationsCount ?? observations?.length ?? 0,
      ),
    })
  }
  return [...nodes.values()]
}

function toEdge({ from, to, relationType }: Relation): GraphEdge {
  return { id: JSON.stringify([from, relationType, to]), fromEntityId: from, toEntityId: to, relationType }
}
