/** The messages between the view and its two workers. Arrays marked "moved" are transferred, not copied. */
import type { GraphFont, GraphTheme, RendererChoice } from './types.ts'

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
  /** The colours of the types by their numbers. */
  palette: string[]
  edgeTypes: string[]
}

export type LayoutRequest =
  | {
      kind: 'change'
      /** Its version comes back with every answer, so that those to older data can be told apart. */
      patch: GraphPatch
      /** x0, y0, x1, y1, ... of all nodes, the others of which stay where they are; null: all are laid out anew. */
      positions: Float32Array | null
      /** How many of the nodes are new, at the end. */
      newcomers: number
      /** Width divided by height of the area to fill. */
      aspect: number
      /** Show only the result. */
      still: boolean
    }
  | { kind: 'pin'; node: number; x: number; y: number; reheat: boolean }
  /** The pointer let go: the node stays pinned, the others come to rest. */
  | { kind: 'drop' }

export type LayoutReply = {
  kind: 'positions'
  version: number
  positions: Float32Array
  done: boolean
}

/** What stands out. Nodes are indices, -1 for none. */
export type Emphasis = { hovered: number; selected: number; path: readonly number[] }

export type RenderRequest =
  | {
      kind: 'init'
      base: OffscreenCanvas
      overlay: OffscreenCanvas
      renderer: RendererChoice
      theme: GraphTheme
      font: GraphFont
    }
  | { kind: 'resize'; width: number; height: number; pixelRatio: number }
  | { kind: 'change'; patch: GraphPatch }
  | { kind: 'palette'; palette: string[] }
  | { kind: 'visible'; visible: Uint8Array | null }
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
  | { kind: 'theme'; theme: GraphTheme }
  | { kind: 'png'; ticket: number; width: number; height: number; scale: number; view: ViewTransform }

export type RenderReply =
  | { kind: 'ready'; renderer: '2d' | 'gl' }
  /** `received`: requests so far; `complete`: nothing is left to draw until the next. */
  | { kind: 'drawn'; version: number; received: number; complete: boolean }
  | { kind: 'png'; ticket: number; blob: Blob }
  | { kind: 'failed'; ticket: number; message: string }

/** The part of a worker's global scope that is used; the DOM and WebWorker libraries cannot be loaded together. */
export type WorkerScope<In, Out> = {
  onmessage: ((event: MessageEvent<In>) => void) | null
  postMessage(message: Out, transfer?: Transferable[]): void
}
