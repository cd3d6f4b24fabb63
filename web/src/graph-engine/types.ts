/** A node of the picture; `observationsCount` decides its size. */
export type GraphNode = { id: string; name: string; type: string; observationsCount: number }

/** A directed relation between two nodes; edges with a missing end are left out. */
export type GraphEdge = { id: string; fromEntityId: string; toEntityId: string; relationType: string }

export type GraphData = { nodes: Iterable<GraphNode>; edges: Iterable<GraphEdge> }

/** What became different; the ends of an edge never do. */
export type GraphChange = {
  /** New, or there and in their new state. */
  nodes?: Iterable<GraphNode>
  edges?: Iterable<GraphEdge>
  /** Ids. Their edges go with them. */
  nodesGone?: Iterable<string>
  edgesGone?: Iterable<GraphEdge>
}

/** Everything that is drawn takes its colour from here or from the type colours. CSS hex colours, `#rrggbb`. */
export type GraphTheme = {
  background: string
  edge: string
  /** Edges of the selected node and relation names on them. */
  edgeStrong: string
  label: string
  /** Relation names. */
  labelMuted: string
  selection: string
  path: string
  /** 0..1: how much of the background covers what is not highlighted. */
  wash: number
}

/** A font of the page is not known in a worker; with a `url` (same origin) the worker loads it itself. */
export type GraphFont = { family: string; url?: string }

export type RendererChoice = 'auto' | '2d' | 'gl'

export type GraphViewOptions = {
  theme?: 'light' | 'dark' | GraphTheme
  /** Colours by type, over those of `colorOfType`. */
  colors?: Readonly<Record<string, string>>
  font?: GraphFont
  /** `auto` takes WebGL2 on real graphics hardware and Canvas 2D otherwise. */
  renderer?: RendererChoice
  /** Default: the system's `prefers-reduced-motion`, also when it changes. */
  reducedMotion?: boolean
  /** Puts `window.__graph` there for browser tests. */
  testHandle?: boolean
}

export type GraphEvents = {
  hover: GraphNode | null
  select: GraphNode | null
  /** Double click, or Enter on the selected node. */
  activate: GraphNode
  /** Nodes have come to rest. */
  settled: undefined
  /** The zoom level, 0.1 to 4. */
  zoom: number
}

export type GraphListener<Name extends keyof GraphEvents> = (value: GraphEvents[Name]) => void

export type ExportOptions = {
  /** `view` (default): what is seen now; `all`: the whole graph. */
  area?: 'view' | 'all'
  /** Pixels per CSS pixel of a PNG; default 2. */
  scale?: number
}

export type GraphView = {
  /**
   * Shows `data`. Nodes already there keep their place and new ones start beside a neighbour, unless
   * `keepPositions` is false: then everything is laid out anew.
   */
  setData(data: GraphData, options?: { keepPositions?: boolean }): void
  /** Changes what is shown, at a cost of the size of the change. */
  update(change: GraphChange): void
  setColors(colors: Readonly<Record<string, string>>): void
  setTheme(theme: 'light' | 'dark' | GraphTheme): void
  /** Also a node that is still to come. */
  select(id: string | null): void
  /** Emphasises these nodes, in order, and the relations between consecutive ones; `[]` ends it. */
  highlightPath(ids: readonly string[]): void
  /** Leaves out nodes of these types, without moving the others. */
  hideTypes(types: ReadonlySet<string>): void
  /** Brings a node to the centre, close enough to read its name. */
  focus(id: string): void
  /** Shows the whole graph. */
  fit(): void
  /** To 1x: real size up to 500 nodes, everything in view above. */
  resetZoom(): void
  zoomBy(factor: number): void
  exportPng(options?: ExportOptions): Promise<Blob>
  exportSvg(options?: ExportOptions): string
  /** Listens; the answer stops listening. */
  on<Name extends keyof GraphEvents>(name: Name, listener: GraphListener<Name>): () => void
  /** Ends both workers and removes everything from the container. */
  destroy(): void
}
