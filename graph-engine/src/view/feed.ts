import type { GraphChange, GraphData, GraphEdge, GraphNode } from '../types.ts'
import { nextTask } from './steps.ts'

/** A graph with more nodes is taken over in slices, so that no task of the page takes long. */
const nodesAtOnceMax = 12_000
const nodesPerSlice = 6_000
const edgesPerSlice = 12_000

type FeedOptions = {
  /** Takes over a slice; more will follow. */
  take: (slice: GraphChange) => void
  /** Takes over what came meanwhile, after the last slice or at once. */
  change: (change: GraphChange, live: boolean) => void
}

/** Hands over a graph: a small one at once, a large one in slices with other work in between. */
export class Feed {
  readonly #options: FeedOptions
  readonly #waiting: GraphChange[] = []
  #turn = 0
  isRunning = false

  constructor(options: FeedOptions) {
    this.#options = options
  }

  /** Takes over a graph while none is shown. */
  begin({ nodes, edges }: GraphData): void {
    this.stop()
    const queue = nodes[Symbol.iterator]()
    const first = some(queue, nodesAtOnceMax + 1)
    if (first.length <= nodesAtOnceMax) this.#options.change({ nodes: first, edges }, false)
    else void this.#run(first, queue, edges[Symbol.iterator]())
  }

  /** A change of the graph; it waits until the graph has been taken over. */
  change(change: GraphChange): void {
    if (this.isRunning) this.#waiting.push(change)
    else this.#options.change(change, true)
  }

  /** Stops between two slices; what waited is forgotten. */
  stop(): void {
    this.#turn++
    this.isRunning = false
    this.#waiting.length = 0
  }

  async #run(
    first: readonly GraphNode[],
    nodes: Iterator<GraphNode>,
    edges: Iterator<GraphEdge>,
  ): Promise<void> {
    const turn = this.#turn
    this.isRunning = true
    for (const slice of slicesOf(first, nodes, edges)) {
      this.#options.take(slice)
      await nextTask()
      if (turn !== this.#turn) return
    }
    this.isRunning = false
    this.#options.change({}, false)
    for (const change of this.#waiting.splice(0)) this.#options.change(change, true)
  }
}

function* slicesOf(
  first: readonly GraphNode[],
  nodes: Iterator<GraphNode>,
  edges: Iterator<GraphEdge>,
): Generator<GraphChange, void> {
  for (let at = 0; at < first.length; at += nodesPerSlice)
    yield { nodes: first.slice(at, at + nodesPerSlice) }
  for (;;) {
    const slice = some(nodes, nodesPerSlice)
    if (slice.length > 0) yield { nodes: slice }
    if (slice.length < nodesPerSlice) break
  }
  for (;;) {
    const slice = some(edges, edgesPerSlice)
    if (slice.length > 0) yield { edges: slice }
    if (slice.length < edgesPerSlice) return
  }
}

function some<T>(from: Iterator<T>, most: number): T[] {
  const items: T[] = []
  while (items.length < most) {
    const next = from.next()
    if (next.done) break
    items.push(next.value)
  }
  return items
}
