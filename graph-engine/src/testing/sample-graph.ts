/** Generated graphs for tests, pictures and the benchmark: identical for the same arguments. */
import { seededRandom } from '../model/random.ts'
import type { GraphEdge, GraphNode } from '../types.ts'

const types = ['person', 'concept', 'technology', 'company', 'product', 'event'] as const
const relations = ['knows', 'works_at', 'uses', 'part_of', 'depends_on', 'mentions', 'created_by'] as const
const first = [
  'Ada',
  'Grace',
  'Alan',
  'Edsger',
  'Barbara',
  'Donald',
  'Radia',
  'Ken',
  'Margaret',
  'Claude',
] as const
const second = ['Lovelace', 'Hopper', 'Turing', 'Dijkstra', 'Liskov', 'Knuth', 'Perlman', 'Hamilton'] as const
const things = [
  'Vector Index',
  'Release Plan',
  'Event Bus',
  'Query Planner',
  'Onboarding',
  'Roadmap',
] as const

export type SampleOptions = { nodes: number; edges?: number; isolated?: number }

export type SampleGraph = { nodes: GraphNode[]; edges: GraphEdge[] }

/** Communities with hubs, some relations between them, and a few isolated nodes. */
export function sampleGraph({
  nodes: nodeCount,
  edges: edgeCount = nodeCount * 3,
  isolated,
}: SampleOptions): SampleGraph {
  const random = seededRandom(nodeCount)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const loose = isolated ?? Math.floor(nodeCount * 0.02)
  const linked = nodeCount - loose
  const communities = Math.max(2, Math.round(Math.sqrt(linked) / 2))
  const communityOf = (i: number) => i % communities
  const nodes: GraphNode[] = Array.from({ length: nodeCount }, (_, i) => {
    const type = random() < 0.55 ? types[communityOf(i) % types.length]! : pick(types)
    const name = type === 'person' ? `${pick(first)} ${pick(second)}` : `${pick(things)} ${i}`
    const hub = i < communities
    return { id: `n${i}`, name, type, observationsCount: Math.floor(random() ** 3 * 14) + (hub ? 20 : 0) }
  })
  const edges: GraphEdge[] = []
  const connect = (a: number, b: number) => {
    if (a === b) return
    edges.push({
      id: `e${edges.length}`,
      fromEntityId: `n${a}`,
      toEntityId: `n${b}`,
      relationType: pick(relations),
    })
  }
  for (let i = communities; i < linked && edges.length < edgeCount; i++) connect(i, communityOf(i))
  while (edges.length < edgeCount) {
    const a = Math.floor(random() * linked)
    const far = random() < 0.06
    const step = Math.floor(random() ** 2 * (linked / communities)) * communities
    connect(a, far ? Math.floor(random() * linked) : (communityOf(a) + step) % linked)
  }
  return { nodes, edges }
}
