import type { GraphStage } from './graph-stage.ts'
import type { Interaction } from './interaction.ts'
import type { Surface } from './surface.ts'

/** State of a view for browser tests: `window.__graph`. */
export type GraphTestHandle = {
  /** The position of a node in the coordinates of `page.mouse`; null if the node is absent. */
  screen(id: string): { x: number; y: number } | null
  /** Positions in graph units by id. */
  positions(): Record<string, [x: number, y: number]>
  /** Nodes are at rest and everything is drawn. */
  settled(): boolean
  /** The zoom level, 0.1 to 4. */
  zoom(): number
  selected(): string | null
}

declare global {
  interface Window {
    __graph?: GraphTestHandle
  }
}

export function testHandleOf({ root }: Surface, stage: GraphStage, person: Interaction): GraphTestHandle {
  return {
    screen(id) {
      const node = stage.model.indexOf.get(id)
      if (node === undefined || !stage.hasPlaces) return null
      const [x, y] = stage.camera.toScreen(...stage.placeOf(node))
      const box = root.getBoundingClientRect()
      return { x: box.left + x, y: box.top + y }
    },
    positions() {
      const nodes = stage.hasPlaces ? stage.model.nodes : []
      return Object.fromEntries(nodes.map(({ id }, node) => [id, stage.placeOf(node)] as const))
    },
    settled: () => stage.settled,
    zoom: () => stage.camera.level,
    selected: () => person.selectedId,
  }
}

/** Exposes the handle of the newest view. Returns a function that removes it. */
export function exposeTestHandle(handle: GraphTestHandle): () => void {
  window.__graph = handle
  return () => {
    if (window.__graph === handle) delete window.__graph
  }
}
