/** The messages between the view and its two workers. Arrays marked "moved" are transferred, not copied. */
import type { GraphFont, GraphTheme, RendererChoice } from './types.ts'

/** Screen position of a graph point: `x * k + view.x`. */
export type ViewTransform = { k: number; x: number; y: number }

export type LayoutRequest =
  | {
      kind: 'start'
      /** Comes back with every answer, so that those to older data can be told apart. */
      version: number
      nodeCount: number
      source: Uint32Array
      target: Uint32Array
      radius: Float32Array
      /** x0, y0, x1, y1, ...; null: nothing is placed yet. */
      positions: Float32Array | null
      /** 1 for nodes that must not move; null: all may. */
      frozen: Uint8Array | null
      /** The temperature to begin with: 1 for a graph that nothing is known of. */
      alpha: number
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
  alpha: number
  done: boolean
}

export type RenderData = {
  version: number
  nodeCount: number
  source: Uint32Array
  target: Uint32Array
  radius: Float32Array
  /** Index into `palette`. */
  color: Uint16Array
  palette: string[]
  labels: string[]
  /** Index into `edgeTypes`. */
  edgeType: Uint16Array
  edgeTypes: string[]
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
  | { kind: 'data'; data: RenderData }
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
