import { seededRandom } from '../model/random.ts'
import type { SampleGraph } from './sample-graph.ts'

const pairs = 5000

/**
 * Mean edge length divided by the mean distance of random pairs; lower means that groups are better
 * separated.
 */
export function layoutQuality(
  data: SampleGraph,
  positions: Readonly<Record<string, readonly [number, number]>>,
): number {
  const distance = (a: string, b: string) => {
    const [ax, ay] = positions[a] ?? [0, 0]
    const [bx, by] = positions[b] ?? [0, 0]
    return Math.hypot(ax - bx, ay - by)
  }
  const random = seededRandom(1)
  const anyId = () => data.nodes[Math.floor(random() * data.nodes.length)]!.id
  let edges = 0
  for (const { fromEntityId, toEntityId } of data.edges)
    edges += distance(fromEntityId, toEntityId) / data.edges.length
  let all = 0
  for (let i = 0; i < pairs; i++) all += distance(anyId(), anyId()) / pairs
  return edges / all
}
