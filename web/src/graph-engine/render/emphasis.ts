import { degreeOf } from '../model/adjacency.ts'
import { isShown, type Scene } from './scene.ts'

/** What stays bright while the rest is washed out. */
export type Group = {
  /** Tells whether this is still the same group. */
  key: string
  kind: 'hover' | 'path'
  nodes: ReadonlySet<number>
  edges: readonly number[]
}

/** A hovered node with its neighbours, else the highlighted path, else nothing. */
export function groupOf(scene: Scene): Group | null {
  const { hovered, path } = scene.emphasis
  const { version } = scene.data
  if (hovered >= 0) {
    const edges = edgesAt(scene, hovered)
    const nodes = new Set([hovered, ...edges.map((edge) => otherEnd(scene, edge, hovered))])
    return { key: `hover ${version} ${hovered}`, kind: 'hover', nodes, edges }
  }
  if (path.length > 0) {
    return {
      key: `path ${version} ${path.join()}`,
      kind: 'path',
      nodes: new Set(path),
      edges: pathEdges(scene),
    }
  }
  return null
}

export function edgesAt(scene: Scene, node: number): number[] {
  const { offset, neighbour, edge } = scene.adjacency
  const edges: number[] = []
  for (let k = offset[node]!; k < offset[node]! + degreeOf(scene.adjacency, node); k++) {
    if (isShown(scene, neighbour[k]!)) edges.push(edge[k]!)
  }
  return edges
}

function otherEnd(scene: Scene, edge: number, node: number): number {
  const { source, target } = scene.data
  return source[edge] === node ? target[edge]! : source[edge]!
}

function pathEdges(scene: Scene): number[] {
  const { path } = scene.emphasis
  return path.slice(1).flatMap((node, i) => {
    const before = path[i]!
    return edgesAt(scene, before).filter((edge) => otherEnd(scene, edge, before) === node)
  })
}
