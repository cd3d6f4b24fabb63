/** The messages between the view and its two workers. Arrays marked "moved" are transferred, not copied. */
import type { TypeStyle } from './model/palette.ts'
import type { GraphFont, GraphLayout, GraphPadding, GraphTheme } from './types.ts'

/** Screen position of a graph point: `x * k + view.x`. */
export type ViewTransform = { k: number; x: number; y: number }

/**
 * A change of a graph by index. Its steps in this order; whoever keeps a copy of the graph takes them in the same way,
 * and all copies stay alike.
 */
export type GraphPatch = {
  /** Differs whenever a node or an edge has come or gone. */
  version: number
  /** One after the other: the last edge takes the place of one that goes. */
  edgesGone: Uint32Array
  /** Likewise; they have no edges any more. */
  nodesGone: Uint32Array
  /** Rows at `index`: those behind the end are new, the others replaced. */
  nodes: { index: Uint32Array; radius: Float32Array; color: Uint16Array; labels: string[] }
  /** Likewise; the ends of an edge stay what they are. */
  edges: { index: Uint32Array; source: Uint32Array; target: Uint32Array; type: Uint16Array }
  edgeTypes: string[]
}

/** Nodes that a person holds where they are: indices and x0, y0, x1, y1, ... */
export type Pins = { nodes: Uint32Array; places: Float32Array }

/** What is known of nodes from an earlier visit: NaN and -1 where nothing is. */
export type KeptPlaces = { positions: Float32Array; region: Int32Array }

export type LayoutRequest =
  | {
      kind: 'change'
      /** Its version comes back with every answer, so that those to older data can be told apart. */
      patch: GraphPatch
      /** x0, y0, x1, y1, ... of all nodes, the others of which stay where they are; null: all are laid out anew. */
      positions: Float32Array | null
      /** Where nodes were on an earlier visit, when they are laid out anew. */
      kept: KeptPlaces | null
      /** How many of the nodes are new, at the end. */
      newcomers: number
      /** Width divided by height of the area to fill. */
      aspect: number
      /** Show only the result. */
      still: boolean
      /** Whether nothing is laid out yet: another request follows. */
      hold: boolean
      /** Whether communities are found. */
      regions: boolean
      layout: GraphLayout
      pins: Pins
    }
  | { kind: 'pin'; node: number; x: number; y: number; reheat: boolean }
  /** The pointer let go: the node stays pinned, the others come to rest. */
  | { kind: 'drop' }
  /** These are held, and no others. */
  | { kind: 'pins'; pins: Pins }

/** The communities of a graph, as rows by their numbers; the largest first, `loose` last. */
export type Regions = {
  /** The region of each node. */
  of: Int32Array
  /** The node that stands for each region. */
  hub: Uint32Array
  size: Uint32Array
  /** Which of the eight tints each has. */
  tint: Uint8Array
  /** The region of nodes without relations, -1 if there are none. */
  loose: number
}

/** Closed lines around regions: loop i has the points from `start[i]` to `start[i + 1]` and belongs to `region[i]`. */
export type Outlines = { points: Float32Array; start: Uint32Array; region: Uint16Array }

/** The floor plan: rooms by type, with walls and the doors between them. In graph units. */
export type FloorPlan = {
  rooms: { type: number; x: number; y: number; width: number; height: number; count: number }[]
  /** x0, y0, x1, y1 of each opening in a wall. */
  doors: Float32Array
}

export type LayoutReply =
  | {
      kind: 'positions'
      version: number
      positions: Float32Array
      done: boolean
    }
  | { kind: 'regions'; version: number; regions: Regions | null; outlines: Outlines | null }
  | { kind: 'plan'; version: number; plan: FloorPlan }

/** What stands out. Nodes are indices, -1 for none. */
export type Emphasis = {
  hovered: number
  selected: number
  path: readonly number[]
  marked: readonly number[]
}

/** Neighbours on a ring around the selected node: where they are to be, in graph units. */
export type Ring = { centre: number; nodes: Uint32Array; places: Float32Array; more: number }

export type RenderRequest =
  | {
      kind: 'init'
      base: OffscreenCanvas
      overlay: OffscreenCanvas
      theme: GraphTheme
      font: GraphFont
    }
  | { kind: 'resize'; width: number; height: number; pixelRatio: number }
  | { kind: 'padding'; padding: GraphPadding }
  | { kind: 'change'; patch: GraphPatch }
  | { kind: 'palette'; palette: TypeStyle[]; types: string[] }
  | { kind: 'visible'; nodes: Uint8Array | null; edges: Uint8Array | null }
  | { kind: 'regions'; regions: Regions | null; outlines: Outlines | null }
  | { kind: 'regionNames'; names: string[] }
  | { kind: 'plan'; plan: FloorPlan | null }
  | {
      kind: 'frame'
      /** Moved; null: unchanged. */
      positions: Float32Array | null
      /** These are the last positions of a layout. */
      settled: boolean
      view: ViewTransform
      fitScale: number
    }
  | { kind: 'move'; node: number; x: number; y: number }
  | { kind: 'emphasis'; emphasis: Emphasis; still: boolean }
  /** Null sends the neighbours back. */
  | { kind: 'ring'; ring: Ring | null; still: boolean }
  | { kind: 'pinned'; nodes: Uint32Array }
  /** By node, 0 to 1; null: none glows. */
  | { kind: 'recent'; strengths: Float32Array | null }
  | { kind: 'arrivals'; nodes: Uint32Array }
  | { kind: 'notes'; notes: [node: number, text: string][] }
  | { kind: 'minimap'; canvas: OffscreenCanvas | null; width: number; height: number; pixelRatio: number }
  | { kind: 'theme'; theme: GraphTheme }
  | { kind: 'png'; ticket: number; width: number; height: number; scale: number; view: ViewTransform }

export type RenderReply =
  /** `received`: requests so far; `complete`: nothing is left to draw until the next. */
  | { kind: 'drawn'; version: number; received: number; complete: boolean }
  | { kind: 'png'; ticket: number; blob: Blob }
  | { kind: 'failed'; ticket: number; message: string }

/** The part of a worker's global scope that is used; the DOM and WebWorker libraries cannot be loaded together. */
export type WorkerScope<In, Out> = {
  onmessage: ((event: MessageEvent<In>) => void) | null
  postMessage(message: Out, transfer?: Transferable[]): void
}
