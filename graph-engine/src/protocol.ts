/** The messages between the view and its two workers. Arrays marked "moved" are transferred, not copied. */
import type { TypeStyle } from './model/palette.ts'
import type { GraphFont, GraphLayout, GraphPadding, GraphTheme } from './types.ts'

/** Screen position of a graph point: `x * k + view.x`. */
export type ViewTransform = { k: number; x: number; y: number }

/**
 * A change of a graph by index. The steps run in this order; every copy of the graph applies them the
 * same way and stays identical.
 */
export type GraphPatch = {
  /** Changes whenever a node or an edge is added or removed. */
  version: number
  /** Removed one by one: the last edge moves into the freed slot. */
  edgesGone: Uint32Array
  /** Likewise; these nodes have no edges left. */
  nodesGone: Uint32Array
  /** Rows at `index`: indices past the end are new rows, the others are replaced. */
  nodes: { index: Uint32Array; radius: Float32Array; color: Uint16Array; labels: string[] }
  /** Likewise; the ends of an edge never change. */
  edges: { index: Uint32Array; source: Uint32Array; target: Uint32Array; type: Uint16Array }
  edgeTypes: string[]
}

/** Nodes that a person pinned: indices and x0, y0, x1, y1, ... */
export type Pins = { nodes: Uint32Array; places: Float32Array }

/**
 * What the map of the graph says of its nodes: NaN if it lacks a node, -1 if that is in none of the regions. `hub` and
 * `tint` are of the regions, indexed by key; a hub that is not in the graph is -1.
 */
export type KeptPlaces = {
  positions: Float32Array
  region: Int32Array
  hub: Int32Array
  tint: Uint8Array
}

/** Places on a map in the units of the picture, without names: the region of each, -1 for none; tints by region. */
export type SketchedMap = { positions: Float32Array; region: Int32Array; tint: Uint8Array }

export type LayoutRequest =
  | {
      kind: 'change'
      patch: GraphPatch
      /** The graph is not complete yet: nothing is laid out. */
      more?: boolean
      /**
       * x0, y0, x1, y1, ... of all nodes; nodes other than newcomers stay there. Null: all nodes are
       * laid out from scratch.
       */
      positions: Float32Array | null
      /** The map, if there is one: its nodes stay where they are. */
      kept: KeptPlaces | null
      /** Every response carries it, so that responses to an older request can be detected. */
      serial: number
      /** The number of new nodes, at the end of the rows. */
      newcomers: number
      /** Width divided by height of the area to fill. */
      aspect: number
      /** Show only the result. */
      still: boolean
      /** Whether to find communities. */
      regions: boolean
      layout: GraphLayout
      pins: Pins
    }
  /** Outlines the regions of a map before any of its nodes has arrived. */
  | { kind: 'sketch'; serial: number; map: SketchedMap }
  | { kind: 'pin'; node: number; x: number; y: number; reheat: boolean }
  /** The pointer was released: the node stays pinned, the others come to rest. */
  | { kind: 'drop' }
  /** Pins exactly these nodes. */
  | { kind: 'pins'; pins: Pins }

/** The communities of a graph, indexed by region number; the largest first, `loose` last. */
export type Regions = {
  /** The region of each node. */
  of: Int32Array
  /** Its key on the map; regions that are not on it have the keys after the map's. -1 for `loose`. */
  key: Int32Array
  /** The representative node of each region. */
  hub: Uint32Array
  size: Uint32Array
  /** Tint of each region, one of eight. */
  tint: Uint8Array
  /** The region of nodes without relations, -1 if there are none. */
  loose: number
}

/**
 * Closed lines around regions: loop i has the points from `start[i]` to `start[i + 1]` and belongs to
 * `region[i]`.
 */
export type Outlines = { points: Float32Array; start: Uint32Array; region: Uint16Array }

/** The floor plan: rooms by type, with walls and doors between them. In graph units. */
export type FloorPlan = {
  rooms: { type: number; x: number; y: number; width: number; height: number; count: number }[]
  /** x0, y0, x1, y1 of each opening in a wall. */
  doors: Float32Array
}

/** Regions without nodes: `of` is empty. `centres` are x0, y0, ... of the regions. */
export type Sketch = { regions: Regions; outlines: Outlines; centres: Float64Array }

export type LayoutReply =
  | {
      kind: 'positions'
      serial: number
      positions: Float32Array
      done: boolean
    }
  | { kind: 'regions'; serial: number; regions: Regions | null; outlines: Outlines | null }
  | { kind: 'plan'; serial: number; plan: FloorPlan }
  | { kind: 'sketch'; serial: number; sketch: Sketch }

/** Emphasised nodes and edges. Nodes are indices, -1 for none. */
export type Emphasis = {
  hovered: number
  selected: number
  /** The start of a path that has no end yet. */
  start: number
  path: readonly number[]
  marked: readonly number[]
}

/** Neighbours on a ring around the selected node: their target positions, in graph units. */
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
  /** `more`: the graph is not complete yet. */
  | { kind: 'change'; patch: GraphPatch; more: boolean }
  | { kind: 'sketch'; sketch: Sketch; names: string[] }
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
  /** Null moves the neighbours back. */
  | { kind: 'ring'; ring: Ring | null; still: boolean }
  | { kind: 'pinned'; nodes: Uint32Array }
  /** Per node, 0 to 1; null: no node glows. */
  | { kind: 'recent'; strengths: Float32Array | null }
  | { kind: 'arrivals'; nodes: Uint32Array }
  | { kind: 'notes'; notes: [node: number, text: string][] }
  | { kind: 'minimap'; canvas: OffscreenCanvas | null; width: number; height: number; pixelRatio: number }
  | { kind: 'theme'; theme: GraphTheme }
  | { kind: 'png'; ticket: number; width: number; height: number; scale: number; view: ViewTransform }

export type RenderReply =
  /** `received`: requests so far; `complete`: nothing is left to draw until the next one. */
  | { kind: 'drawn'; version: number; received: number; complete: boolean }
  | { kind: 'png'; ticket: number; blob: Blob }
  | { kind: 'failed'; ticket: number; message: string }

/** The part of a worker's global scope in use; the DOM and WebWorker libraries cannot be loaded together. */
export type WorkerScope<In, Out> = {
  onmessage: ((event: MessageEvent<In>) => void) | null
  postMessage(message: Out, transfer?: Transferable[]): void
}
