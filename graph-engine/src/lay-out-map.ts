import { GraphModel } from './model/graph-model.ts'
import type { LayoutReply, LayoutRequest, Regions } from './protocol.ts'
import type { GraphData, GraphMap, Line } from './types.ts'
import { startLayout } from './view/graph-workers.ts'
import { MapBook } from './view/map-book.ts'
import { atOnce, inTasks } from './view/steps.ts'

export type MapOptions = {
  /** What is on it stays; null draws the map from scratch. */
  known: GraphMap | null
  /** Width divided by height. */
  aspect: number
  signal?: AbortSignal
  start?: () => Line
}

/** Draws the map of a whole graph without showing it. Rejects with the signal's reason if it is aborted. */
export function layOutMap(data: GraphData, { known, aspect, signal, start = startLayout }: MapOptions) {
  const model = new GraphModel()
  const patch = model.apply(model.changeTo(data))
  const book = new MapBook()
  if (known) atOnce(book.take(known))
  const line = start()
  const result = Promise.withResolvers<GraphMap>()
  let regions: Regions | null = null
  line.listen(({ data: reply }: MessageEvent<LayoutReply>) => {
    if (reply.kind === 'regions') regions = reply.regions
    if (reply.kind !== 'positions' || !reply.done) return
    void inTasks(book.remember(model, reply.positions, regions)).then(() => result.resolve(book.map()))
  })
  signal?.addEventListener('abort', () => result.reject(signal.reason))
  line.send({
    kind: 'change',
    patch: { ...patch, nodes: { ...patch.nodes, labels: [] } },
    positions: null,
    kept: book.recall(model),
    newcomers: 0,
    serial: 0,
    aspect,
    still: true,
    regions: true,
    layout: 'graph',
    pins: { nodes: new Uint32Array(), places: new Float32Array() },
  } satisfies LayoutRequest)
  return result.promise.finally(() => line.end())
}
