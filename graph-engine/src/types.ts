import type { StartLines } from './view/graph-workers.ts'

/** A node of the picture; `observationsCount` decides its size. */
export type GraphNode = {
  id: string
  name: string
  type: string
  observationsCount: number
  /** ISO 8601, UTC: what `showUntil` goes by. */
  createdAt?: string
}

/** A directed relation between two nodes; edges with a missing end are left out. */
export type GraphEdge = {
  id: string
  fromEntityId: string
  toEntityId: string
  relationType: string
  /** ISO 8601, UTC: what `showUntil` goes by. */
  createdAt?: string
}

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
  /** Chooses the set of type colours and region tints. */
  scheme: 'light' | 'dark'
  background: string
  edge: string
  /** Edges of the selected node and relation names on them. */
  edgeStrong: string
  label: string
  /** Relation names. */
  labelMuted: string
  selection: string
  path: string
  /** Rings of recent changes and arrivals. */
  recent: string
  /** 0..1: how much of the background covers what is not highlighted. */
  wash: number
}

/** A font of the page is not known in a worker; with a `url` (same origin) the worker loads it itself. */
export type GraphFont = { family: string; url?: string }

/** `graph`: by relations, in regions; `plan`: a floor plan with a room for each type. */
export type GraphLayout = 'graph' | 'plan'

/** CSS pixels along each edge of the container that floating panels cover. */
export type GraphPadding = { left: number; top: number; right: number; bottom: number }

/** The middle of the free area in graph units, and pixels per graph unit. */
export type GraphCamera = { x: number; y: number; k: number }

/** Nodes that are related more with each other than with the rest. */
export type GraphRegion = {
  /** The id of the node that stands for the region: the key of names that people give it. */
  id: string
  /** The name that was given, else that of the node; `Not linked` for nodes without relations. */
  name: string
  /** Whether the name was given with `setRegionNames`. */
  named: boolean
  /** Whether it holds the nodes without relations; it cannot be named. */
  loose: boolean
  /** How many nodes it has. */
  size: number
}

export type GraphViewOptions = {
  theme?: 'light' | 'dark' | GraphTheme
  /** Slots by type: see `setTypeSlots`. */
  slots?: Readonly<Record<string, number>>
  font?: GraphFont
  /** Default: the system's `prefers-reduced-motion`, also when it changes. */
  reducedMotion?: boolean
  /** The regions of the graph are found, tinted and named; default false, for small pictures of a neighbourhood. */
  regions?: boolean
  /** Neighbours of the selected node move to a ring around it; default false. */
  ring?: boolean
  /** Regions and places are kept in the browser's database under this key, such as `account/space`. */
  keep?: string
  /** What one finger does; default `pan`. See `setTouch`. */
  touch?: 'pan' | 'scroll'
  /** What lays out and draws; default: two workers of the same origin. See `in-page.ts`. */
  start?: StartLines
  /** Puts `window.__graph` there for browser tests. */
  testHandle?: boolean
}

/** Where something is in the container, in CSS pixels. */
export type GraphPoint = { x: number; y: number }

export type GraphEvents = {
  hover: GraphNode | null
  /** The pointer has rested on a node for 300 ms; null as soon as the card should go. */
  card: (GraphPoint & { node: GraphNode; radius: number }) | null
  select: GraphNode | null
  /** Double click, or Enter on the selected node. */
  activate: GraphNode
  /** Double click on the ground of a region. */
  activateRegion: GraphRegion
  /** Right click, long press, or the context menu key on the selected node. `node` is null for the background. */
  menu: GraphPoint & { node: GraphNode | null; region: GraphRegion | null }
  /** A lasso (Shift and drag, or the lasso tool) was drawn around these. */
  lasso: readonly GraphNode[]
  /** Ids of all pinned nodes, after a person has pinned one by dragging it. */
  pins: readonly string[]
  /** The regions have changed, the largest first. */
  regions: readonly GraphRegion[]
  /** Nodes in view are large enough for their newest observation: see `setNotes`. Told once the view rests. */
  near: readonly GraphNode[]
  /** Nodes have come to rest. */
  settled: undefined
  /** The zoom level, 0.1 to 4. */
  zoom: number
  /** The view was moved, by a person or by a flight that has ended. */
  camera: GraphCamera
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
  /** Lays everything out from nothing and finds the regions anew; pins are let go. */
  arrangeAnew(): void
  setLayout(layout: GraphLayout): void
  /**
   * Colours of types by slot, counted from 1: 17 to 32 repeat the colours as rings. A type without one has the slot of
   * the six known types, else the next free one.
   */
  setTypeSlots(slots: Readonly<Record<string, number>>): void
  setTheme(theme: 'light' | 'dark' | GraphTheme): void
  /** Floating panels cover so much; `fit`, flights, the ring and names use the rest. */
  setPadding(padding: GraphPadding): void
  /** `pan`: one finger moves the view. `scroll`: it scrolls the page, and two fingers move the view. */
  setTouch(touch: 'pan' | 'scroll'): void
  /** What dragging on the background does; default `pan`. */
  setTool(tool: 'pan' | 'lasso'): void
  /** Also a node that is still to come. */
  select(id: string | null): void
  /** Emphasises these nodes, such as those in a lasso; `[]` ends it. */
  mark(ids: readonly string[]): void
  /**
   * Emphasises these nodes, in order, and the relations between consecutive ones; `[]` ends it. A new path is brought
   * into view.
   */
  highlightPath(ids: readonly string[]): void
  /** Leaves out nodes of these types, without moving the others. */
  hideTypes(types: ReadonlySet<string>): void
  /** Leaves out edges of these relation types. */
  hideRelationTypes(types: ReadonlySet<string>): void
  /** Leaves out these nodes, by id. */
  hideNodes(ids: ReadonlySet<string>): void
  /** Leaves out what was created later than this (milliseconds since 1970); null shows all. Nothing moves. */
  showUntil(time: number | null): void
  /** Nodes by id that glow, from 0 (just fading out) to 1 (just changed); null ends it. */
  setRecent(strengths: ReadonlyMap<string, number> | null): void
  /** Rings these nodes once. Nodes that come by `update` in small numbers are rung without asking. */
  ring(ids: Iterable<string>): void
  /** Newest observations by node id, written under names from 1.35 pixels per unit. */
  setNotes(notes: ReadonlyMap<string, string>): void
  /** Holds these nodes where they are, or lets them go. */
  pin(ids: Iterable<string>, pinned: boolean): void
  /** The pinned nodes and their places. */
  pins(): Record<string, [x: number, y: number]>
  /** Pins these nodes at these places, and no others. */
  setPins(pins: Readonly<Record<string, readonly [x: number, y: number]>>): void
  /** The largest first. */
  regions(): readonly GraphRegion[]
  /** The ids of a region's nodes. */
  regionNodes(id: string): string[]
  /** Names by the id of a node: the region that holds it is called so. */
  setRegionNames(names: Readonly<Record<string, string>>): void
  /** Draws the minimap into an element (176 x 116 suits), which is hidden while there is no use for it. */
  showMinimap(element: HTMLElement | null): void
  /** Brings a node to the centre, close enough to read its name. */
  focus(id: string): void
  /** Brings these nodes into view. */
  focusAll(ids: Iterable<string>): void
  /** Shows the whole graph. */
  fit(): void
  /** To 1x: real size up to 500 nodes, everything in view above. */
  resetZoom(): void
  zoomBy(factor: number): void
  camera(): GraphCamera
  /** Restores a view from `camera`. */
  setCamera(camera: GraphCamera): void
  exportPng(options?: ExportOptions): Promise<Blob>
  exportSvg(options?: ExportOptions): string
  /** Listens; the answer stops listening. */
  on<Name extends keyof GraphEvents>(name: Name, listener: GraphListener<Name>): () => void
  /** Ends both workers and removes everything from the container. */
  destroy(): void
}
