import { isEdgeShown, type Scene } from './scene.ts'

/** The part that stays bright while the rest is dimmed. */
export type Group = {
  /** Identifies the group, to detect changes. */
  key: string
  kind: 'hover' | 'path' | 'marked'
  /** The hovered node, or -1. */
  centre: number
  nodes: ReadonlySet<number>
  edges: readonly number[]
}

/**
 * A hovered node with its neighbours, else the highlighted path, else marked nodes, else nothing.
 * Hovering a node of the path keeps the path: the pointer rests on its end right after that was
 * selected.
 */
export function groupOf(scene: Scene): Group | null {
  const { hovered, path } = scene.emphasis
  const { version } = scene
  if (hovered >= 0 && !path.includes(hovered)) {
    const edges = edgesAt(scene, hovered)
    const nodes = new Set([hovered, ...edges.map((edge) => scene.data.otherEnd(edge, hovered))])
    return { key: `hover ${version} ${hovered}`, kind: 'hover', centre: hovered, nodes, edges }
  }
  if (path.length > 0) {
    return {
      key: `path ${version} ${path.join()}`,
      kind: 'path',
      centre: -1,
      nodes: new Set(path),
      edges: pathEdges(scene),
    }
  }
  const { marked } = scene.emphasis
  if (marked.length > 0) {
    const key = `marked ${version} ${marked.length} ${marked[0]} ${marked.at(-1)}`
    return { key, kind: 'marked', centre: -1, nodes: new Set(marked), edges: [] }
  }
  return null
}

export function edgesAt(scene: Scene, node: number): number[] {
  const { data } = scene
  return data.edgesAt(node).filter((edge) => isEdgeShown(scene, edge))
}

function pathEdges(scene: Scene): number[] {
  const { path } = scene.emphasis
  return path.slice(1).flatMap((node, i) => {
    const before = path[i]!
    return edgesAt(scene, before).filter((edge) => scene.data.otherEnd(edge, before) === node)
  })
}
