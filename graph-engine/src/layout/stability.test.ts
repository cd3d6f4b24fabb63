import { expect, test } from 'vitest'
import { GraphModel } from '../model/graph-model.ts'
import type { LayoutReply, LayoutRequest, Regions, WorkerScope } from '../protocol.ts'
import { layoutQuality } from '../testing/layout-quality.ts'
import { type SampleGraph, sampleGraph } from '../testing/sample-graph.ts'
import type { GraphMap } from '../types.ts'
import { MapBook } from '../view/map-book.ts'
import { atOnce } from '../view/steps.ts'
import { LayoutServer } from './layout-server.ts'

/**
 * The map of a graph, laid out by the worker's own code, and where that put its nodes; what is on `known` stays.
 * `heard` gets every reply.
 */
function layOut(
  data: SampleGraph,
  known?: GraphMap,
  heard: (reply: LayoutReply) => void = () => {},
): Promise<GraphMap & { drawn: Float32Array }> {
  const model = new GraphModel()
  const patch = model.apply(data)
  const book = new MapBook()
  if (known) atOnce(book.take(known))
  const done = Promise.withResolvers<GraphMap & { drawn: Float32Array }>()
  let regions: Regions | null = null
  const scope: WorkerScope<LayoutRequest, LayoutReply> = {
    onmessage: null,
    postMessage(reply) {
      heard(reply)
      if (reply.kind === 'regions') regions = reply.regions
      if (reply.kind !== 'positions' || !reply.done) return
      const drawn = reply.positions.slice()
      atOnce(book.remember(model, reply.positions, regions))
      done.resolve({ ...book.map(), drawn })
    },
  }
  new LayoutServer(scope)
  const request: LayoutRequest = {
    kind: 'change',
    patch,
    positions: null,
    kept: book.recall(model),
    newcomers: 0,
    serial: 1,
    aspect: 1.6,
    still: true,
    regions: true,
    layout: 'graph',
    pins: { nodes: new Uint32Array(), places: new Float32Array() },
  }
  scope.onmessage!({ data: request } as MessageEvent<LayoutRequest>)
  return done.promise
}

/** The part of a graph that existed when it had this many nodes. */
function partOf({ nodes, edges }: SampleGraph, count: number): SampleGraph {
  const ids = new Set(nodes.slice(0, count).map(({ id }) => id))
  return {
    nodes: nodes.slice(0, count),
    edges: edges.filter(({ fromEntityId, toEntityId }) => ids.has(fromEntityId) && ids.has(toEntityId)),
  }
}

const placesOf = ({ places }: GraphMap) =>
  Object.fromEntries(places.map(({ id, x, y }) => [id, [x, y] as const]))

/** How far the nodes of a map have moved on a later one, and how many have left their region. */
function changesBetween(before: GraphMap, after: GraphMap) {
  const later = new Map(after.places.map((place) => [place.id, place]))
  const regionOf = (map: GraphMap, region: number) => map.regions[region]?.id
  const moved = before.places.map(({ id, x, y }) => {
    const now = later.get(id)!
    return Math.hypot(now.x - x, now.y - y)
  })
  const left = before.places.filter(({ id, region }) => {
    return region >= 0 && regionOf(after, later.get(id)!.region) !== regionOf(before, region)
  })
  return {
    median: moved.sort((a, b) => a - b)[Math.floor(moved.length / 2)]!,
    leftShare: left.length / moved.length,
  }
}

test('a graph that doubles in steps moves nothing, keeps every region, and stays readable', async () => {
  const whole = sampleGraph({ nodes: 800 })
  const first = await layOut(partOf(whole, 400))
  let map = first
  for (let count = 420; count <= 800; count += 20) map = await layOut(partOf(whole, count), map)
  const { median, leftShare } = changesBetween(first, map)
  expect(median).toBe(0)
  expect(leftShare).toBe(0)
  expect(map.places).toHaveLength(800)
  expect(map.regions.slice(0, first.regions.length)).toEqual(first.regions)
  const anew = layoutQuality(whole, placesOf(await layOut(whole)))
  expect(layoutQuality(whole, placesOf(map)), 'edges are short beside other distances').toBeLessThan(2 * anew)
})

test('newcomers are placed on free ground, in the region of their neighbours or in one of their own', async () => {
  const whole = sampleGraph({ nodes: 200, isolated: 0 })
  const first = await layOut(whole)
  const group = sampleGraph({ nodes: 60, isolated: 0 })
  const own = {
    nodes: group.nodes.map((node) => ({ ...node, id: `g${node.id}` })),
    edges: group.edges.map((edge) => ({
      ...edge,
      id: `g${edge.id}`,
      fromEntityId: `g${edge.fromEntityId}`,
      toEntityId: `g${edge.toEntityId}`,
    })),
  }
  const friend = { id: 'friend', name: 'Friend', type: 'person', observationsCount: 1 }
  const link = { id: 'link', fromEntityId: 'friend', toEntityId: 'n9', relationType: 'knows' }
  const map = await layOut(
    {
      nodes: [...whole.nodes, ...own.nodes, friend],
      edges: [...whole.edges, ...own.edges, link],
    },
    first,
  )
  const places = new Map(map.places.map((place) => [place.id, place]))
  const regionOf = (id: string) => places.get(id)!.region
  expect(regionOf('friend')).toBe(regionOf('n9'))
  const known = new Set(first.places.map(({ region }) => region))
  expect(own.nodes.every(({ id }) => !known.has(regionOf(id)))).toBe(true)
  const gapTo = ({ x, y }: { x: number; y: number }) =>
    Math.min(...first.places.map((place) => Math.hypot(place.x - x, place.y - y)))
  expect(Math.min(...own.nodes.map(({ id }) => gapTo(places.get(id)!)))).toBeGreaterThan(15)
})

test('what was alone moves beside what it is linked to later, and nothing moves for it', async () => {
  const whole = sampleGraph({ nodes: 120, isolated: 3 })
  const first = await layOut(whole)
  const link = { id: 'late', fromEntityId: 'n119', toEntityId: 'n20', relationType: 'knows' }
  const map = await layOut({ nodes: whole.nodes, edges: [...whole.edges, link] }, first)
  const at = (id: string, { places }: GraphMap) => places.find((place) => place.id === id)!
  expect([at('n119', first).region, at('n119', map).region]).toEqual([-1, at('n20', map).region])
  const [a, b] = [at('n119', map), at('n20', map)]
  expect(Math.hypot(a.x - b.x, a.y - b.y)).toBeLessThan(300)
  const others = ({ places }: GraphMap) => places.filter(({ id }) => id !== 'n119')
  expect(others(map)).toEqual(others(first))
})

test('what is linked to nothing but others that were alone stays where the map says', async () => {
  const whole = sampleGraph({ nodes: 120, isolated: 3 })
  const first = await layOut(whole)
  const far = first.places.map((place) => (place.id === 'n119' ? { ...place, x: 4000, y: -4000 } : place))
  const link = { id: 'late', fromEntityId: 'n119', toEntityId: 'n118', relationType: 'knows' }
  const known = { regions: first.regions, places: far }
  const { drawn, places } = await layOut({ nodes: whole.nodes, edges: [...whole.edges, link] }, known)
  expect(places).toEqual(far)
  expect([...drawn]).toEqual(far.flatMap(({ x, y }) => [x, y]))
})

test('a very large graph is shown where it starts before its forces are set up, in discs and then in outlines', () => {
  const replies: LayoutReply[] = []
  const endAtThird = (reply: LayoutReply) => {
    if (replies.push(reply) === 3) throw new Error('Seen enough')
  }
  const data = sampleGraph({ nodes: 20_100, edges: 30_000 })
  expect(() => layOut(data, undefined, endAtThird)).toThrow('Seen enough')
  const [discs, places, outlines] = replies
  expect(replies.map(({ kind }) => kind)).toEqual(['regions', 'positions', 'regions'])
  if (discs?.kind !== 'regions' || places?.kind !== 'positions' || outlines?.kind !== 'regions') return
  expect(places.done).toBe(false)
  expect(places.positions).toHaveLength(2 * 20_100)
  const regions = [...discs.regions!.size.keys()]
  expect([...discs.outlines!.region]).toEqual(regions)
  for (const row of regions.filter((row) => row !== discs.regions!.loose)) {
    const [from, to] = [discs.outlines!.start[row]!, discs.outlines!.start[row + 1]!]
    const xs = discs.outlines!.points.subarray(2 * from, 2 * to).filter((_, i) => i % 2 === 0)
    const own = places.positions.filter((_, i) => i % 2 === 0 && discs.regions!.of[i / 2] === row)
    expect(Math.min(...xs), 'its nodes are inside').toBeLessThanOrEqual(Math.min(...own))
    expect(Math.max(...xs)).toBeGreaterThanOrEqual(Math.max(...own))
  }
  expect(outlines.outlines!.points).not.toEqual(discs.outlines!.points)
})
