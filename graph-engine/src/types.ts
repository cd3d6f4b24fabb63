/** Starts layout and renderer and returns the lines to them. */
export type StartLines = () => { layout: Line; drawing: Line }

/** A connection to a worker, or to something that behaves like one. */
export type Line = {
  send(message: unknown, transfer?: Transferable[]): void
  listen(listener: (event: MessageEvent) => void): void
  end(): void
}

/** A node of the picture; `observationsCount` determines its size. */
export type GraphNode = {
  id: string
  name: string
  type: string
  observationsCount: number
  /** ISO 8601, UTC; used by `showUntil`. */
  createdAt?: string
}

/** A directed relation between two nodes; edges with a missing end are ignored. */
export type GraphEdge = {
  id: string
  fromEntityId: string
  toEntityId: string
  relationType: string
  /** ISO 8601, UTC; used by `showUntil`. */
  createdAt?: string
}

export type GraphData = { nodes: Iterable<GraphNode>; edges: Iterable<GraphEdge> }

/** A change of the data; the ends of an edge never change. */
export type GraphChange = {
  /** New nodes, and existing ones in their new state. */
  nodes?: Iterable<GraphNode>
  edges?: Iterable<GraphEdge>
  /** Ids. Their edges are removed too. */
  nodesGone?: Iterable<string>
  edgesGone?: Iterable<GraphEdge>
}

/** All colours drawn come from here or from the type colours. CSS hex colours, `#rrggbb`. */
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
  /** 0..1: strength of the background wash over everything that is not highlighted. */
  wash: number
}

/** Workers cannot see the fonts of the page; with a `url` (same origin) the worker loads the font itself. */
export type GraphFont = { family: string; url?: string }

/** `graph`: by relations, in regions; `plan`: a floor plan with a room for each type. */
export type GraphLayout = 'graph' | 'plan'

/** What dragging does: on the background, `pan` and `lasso`; from a node, `link` draws a line to another one. */
export type GraphTool = 'pan' | 'lasso' | 'link'

/** CSS pixels along each edge of the container that are covered by floating panels. */
export type GraphPadding = { left: number; top: number; right: number; bottom: number }

/** The centre of the free area in graph units, and pixels per graph unit. */
export type GraphCamera = { x: number; y: number; k: number }

/** A group of nodes with more relations among themselves than with the rest. */
export type GraphRegion = {
  /** The id of the region's representative node, under which given names are stored. */
  id: string
  /** The given name, else the name of the representative node; `Not linked` or `Ungrouped` for nodes outside every larger group. */
  name: string
  /** Whether the name was given with `setRegionNames`. */
  named: boolean
  /** Whether it contains the nodes outside every larger group; it cannot be named. */
  loose: boolean
  /** Number of nodes. */
  size: number
}

/** A region of the map, named after the node that represented it first, and one of eight tints. */
export type GraphMapRegion = { id: string; tint: number }
/** Where a node is on the map, and the number of its region in the list; -1 if it is in none. */
export type GraphMapPlace = { id: string; x: number; y: number; region: number }
/** Where nodes are, in a graph that is the same place for everybody. In whole units. */
export type GraphMap = { regions: readonly GraphMapRegion[]; places: readonly GraphMapPlace[] }

/** A point of the map: its place in whole units, and the region that encloses it. */
export type GraphSpot = GraphPoint & { region: GraphMapRegion | null }

export type GraphViewOptions = {
  theme?: 'light' | 'dark' | GraphTheme
  /** Slots by type: see `setTypeSlots`. */
  slots?: Readonly<Record<string, number>>
  font?: GraphFont
  /** Default: the system's `prefers-reduced-motion`, followed as it changes. */
  reducedMotion?: boolean
  /** Whether to find, tint and name regions; default false, for small pictures of a neighbourhood. */
  regions?: boolean
  /** Whether neighbours of the selected node move to a ring around it; default false. */
  ring?: boolean
  /** Whether nodes stay where they once were: see `setMap`. Default false. */
  map?: boolean
  /** Whether a line can be drawn from a node to another one, with Alt or the tool `link`. Default false. */
  links?: boolean
  /** Effect of dragging with one finger; default `pan`. See `setTouch`. */
  touch?: 'pan' | 'scroll'
  /** Starts layout and drawing; default: two workers of the same origin. See `in-page.ts`. */
  start?: StartLines
  /** Exposes `window.__graph` for browser tests. */
  testHandle?: boolean
}

/** A point in the container, in CSS pixels. */
export type GraphPoint = { x: number; y: number }

export type GraphEvents = {
  hover: GraphNode | null
  /** The pointer has rested on a node for 300 ms; null as soon as the card should close. */
  card: (GraphPoint & { node: GraphNode; radius: number }) | null
  select: GraphNode | null
  /** Double click, or Enter on the selected node. */
  activate: GraphNode
  /** Double click on the background of a region. */
  activateRegion: GraphRegion
  /** Right click, long press, or the context menu key on the selected node. `node` is null for the background. */
  menu: GraphPoint & { node: GraphNode | null; region: GraphRegion | null }
  /** A lasso (Shift and drag, or the lasso tool) was drawn around these nodes; none: Escape cleared it. */
  lasso: readonly GraphNode[]
  /** A line was drawn from a node to another one, which is at this point. */
  link: GraphPoint & { from: GraphNode; to: GraphNode }
  /** Ids of all pinned nodes, after a person pinned one by dragging it. */
  pins: readonly string[]
  /** The regions have changed; the largest first. */
  regions: readonly GraphRegion[]
  /**
   * Nodes in view that are large enough to show their newest observation: see `setNotes`. Emitted once
   * the view rests.
   */
  near: readonly GraphNode[]
  /**
   * Places of nodes that the map lacked or that were in no region, once all nodes are at rest. If a person dragged a node,
   * `before` is where it was. The regions are all of the map's.
   */
  map: GraphMap & { before?: GraphMapPlace }
  /** All nodes have come to rest. */
  settled: undefined
  /** The zoom level, 0.1 to 4. */
  zoom: number
  /** A person or an animation moved the view; emitted at the end. */
  camera: GraphCamera
}

export type GraphListener<Name extends keyof GraphEvents> = (value: GraphEvents[Name]) => void

export type ExportOptions = {
  /** `view` (default): the visible part; `all`: the whole graph. */
  area?: 'view' | 'all'
  /** Pixels per CSS pixel of a PNG; default 2. */
  scale?: number
}

export type GraphView = {
  /**
   * Shows `data`; a large first graph is taken over in slices. Existing nodes keep their positions and new ones start beside a neighbour, unless
   * `keepPositions` is false: then everything is laid out from scratch.
   */
  setData(data: GraphData, options?: { keepPositions?: boolean }): void
  /** Changes the data shown; the cost depends on the size of the change. */
  update(change: GraphChange): void
  /**
   * Takes over places and regions, with the option `map`: nodes shown move there and stay, others find their place when
   * they are shown. Nodes that it lacks are placed beside their neighbours, and reported by the event `map`.
   */
  setMap(map: GraphMap): void
  /**
   * Draws the regions of the map before the first `setData`, with the names of the nodes that represent them, by id:
   * for large graphs, whose nodes take a while to arrive.
   */
  sketch(hubs: Readonly<Record<string, string>>): void
  /** What is on the map at a point of the container. */
  spotAt(point: GraphPoint): GraphSpot
  /** Everything on the map, whether or not it is shown. */
  map(): GraphMap
  setLayout(layout: GraphLayout): void
  /**
   * Colours of types by slot, counted from 1: 17 to 32 repeat the colours as rings. A type without a
   * slot gets that of the six known types, else the next free one.
   */
  setTypeSlots(slots: Readonly<Record<string, number>>): void
  setTheme(theme: 'light' | 'dark' | GraphTheme): void
  /** Area covered by floating panels; `fit`, animations, the ring and names use the rest. */
  setPadding(padding: GraphPadding): void
  /** `pan`: one finger moves the view. `scroll`: it scrolls the page, and two fingers move the view. */
  setTouch(touch: 'pan' | 'scroll'): void
  /** Effect of dragging; default `pan`. */
  setTool(tool: GraphTool): void
  /** The node may also be added later. */
  select(id: string | null): void
  /** Emphasises these nodes, such as those in a lasso; `[]` clears it. */
  mark(ids: readonly string[]): void
  /**
   * Emphasises these nodes, in order, and the relations between consecutive ones; `[]` clears it. A new
   * path is brought into view.
   */
  highlightPath(ids: readonly string[]): void
  /** Marks the node where a path begins while a person picks its end; null clears it. */
  markStart(id: string | null): void
  /** Hides nodes of these types without moving the others. */
  hideTypes(types: ReadonlySet<string>): void
  /** Hides edges of these relation types. */
  hideRelationTypes(types: ReadonlySet<string>): void
  /** Hides these nodes, by id. */
  hideNodes(ids: ReadonlySet<string>): void
  /** Hides everything created later than this (milliseconds since 1970); null shows all. Nothing moves. */
  showUntil(time: number | null): void
  /** Makes nodes glow, by id, from 0 (just fading out) to 1 (just changed), or fade, to -1 (dust); null clears it. */
  setRecent(strengths: ReadonlyMap<string, number> | null): void
  /**
   * Draws a ring around each of these nodes once. Small numbers of nodes added by `update` get one
   * automatically.
   */
  ring(ids: Iterable<string>): void
  /** Newest observations by node id, drawn under names from 1.35 pixels per unit. */
  setNotes(notes: ReadonlyMap<string, string>): void
  /** Pins these nodes where they are, or unpins them. */
  pin(ids: Iterable<string>, pinned: boolean): void
  /** The pinned nodes and their positions. */
  pins(): Record<string, [x: number, y: number]>
  /** Pins exactly these nodes, at these positions. */
  setPins(pins: Readonly<Record<string, readonly [x: number, y: number]>>): void
  /** The largest first. */
  regions(): readonly GraphRegion[]
  /** The ids of a region's nodes. */
  regionNodes(id: string): string[]
  /** Names by node id; each names the region that contains the node. */
  setRegionNames(names: Readonly<Record<string, string>>): void
  /** Draws the minimap into an element (176 x 116 suits); it is hidden while not useful. */
  showMinimap(element: HTMLElement | null): void
  /** Centres a node at a scale where its name is legible. */
  focus(id: string): void
  /** Brings these nodes into view. */
  focusAll(ids: Iterable<string>): void
  /** Shows the whole graph. */
  fit(): void
  /** Zooms to 1x: actual size up to 500 nodes, everything in view above. */
  resetZoom(): void
  zoomBy(factor: number): void
  camera(): GraphCamera
  /** Restores a view from `camera`. */
  setCamera(camera: GraphCamera): void
  exportPng(options?: ExportOptions): Promise<Blob>
  exportSvg(options?: ExportOptions): string
  /** Adds a listener; call the returned function to remove it. */
  on<Name extends keyof GraphEvents>(name: Name, listener: GraphListener<Name>): () => void
  /** Stops both workers and removes everything from the container. */
  destroy(): void
}
