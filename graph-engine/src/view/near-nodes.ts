import type { GraphNode } from '../types.ts'
import type { GraphStage } from './graph-stage.ts'

/** From this scale on, names are shown with the newest observation. */
const noteScaleMin = 1.35
const nodesMax = 40

/** The nodes in view, if large enough for their newest observation; the most connected first. */
export function nearNodes(stage: GraphStage): GraphNode[] {
  const { camera, model } = stage
  if (camera.view.k < noteScaleMin || !stage.hasPlaces) return []
  const inView = [...model.nodes.keys()].filter((node) => {
    const [x, y] = camera.toScreen(...stage.placeOf(node))
    return x > 0 && y > 0 && x < camera.width && y < camera.height && stage.isShown(node)
  })
  return inView
    .sort((a, b) => model.numbers.degree(b) - model.numbers.degree(a) || a - b)
    .slice(0, nodesMax)
    .map((node) => model.nodes[node]!)
}
