import { describe, expect, test } from 'vitest'
import { reranked } from '../render/ranking.ts'
import { componentSizes } from './adjacency.ts'
import { nearestInDirection } from './direction.ts'
import { bendOf, emptyEdgeShape, fullRadiusAt, nodeRadius, screenRadius, shapeEdge } from './geometry.ts'
import { GraphModel } from './graph-model.ts'
import { carryOver, GraphNumbers } from './graph-numbers.ts'
import { HitGrid } from './hit-grid.ts'
import { cutLabel } from './label.ts'
import { placeNewNodes } from './placement.ts'
import { seededRandom } from './random.ts'
import { boundsOf, fitView, levelOfScale, zoomRange } from './zoom-level.ts'

/** Nodes whose ids are their numbers; `0-1` is an edge. */
function modelOf(nodes: number, edges: string[]): GraphModel {
  const model = new GraphModel()
  model.apply({ nodes: Array.from({ length: nodes }, (_, i) => nodeOf(i)), edges: edges.map(edgeOf) })
  return model
}

const nodeOf = (id: number) => ({ id: String(id), name: `Node ${id}`, type: 'x', observationsCount: id % 12 })

function edgeOf(ends: string, index: number) {
  const [from = '', to = ''] = ends.split('-')
  return { id: `${index} ${ends}`, fromEntityId: from, toEntityId: to, relationType: 'knows' }
}

describe('names', () => {
  test.each([
    ['Fifteen letters', 'person', 'Fifteen letters'],
    ['Sixteen letters!', 'person', 'Sixteen letters...'],
    ['An observation of thirty chars', 'observation', 'An observation of thirty chars'],
    ['An observation of thirty-one ch', 'observation', 'An observation of thirty-one c...'],
    ['', 'person', ''],
    ['ספריית העיר הישנה', 'person', '\u2068ספריית העיר היש...\u2069'],
    ['ספריית העיר', 'person', 'ספריית העיר'],
    ['مكتبة المدينة القديمة', 'person', '\u2068مكتبة المدينة ا...\u2069'],
  ])('%j of type %s is drawn as %j', (label, type, drawn) => {
    expect(cutLabel(label, type)).toBe(drawn)
  })

  test('are never cut inside a character', () => {
    expect(cutLabel('🧠'.repeat(20), 'person')).toBe(`${'🧠'.repeat(15)}...`)
    expect(cutLabel('🧠'.repeat(15), 'person')).toBe('🧠'.repeat(15))
  })
})

describe('sizes', () => {
  test('grow with observations from 8 to 20', () => {
    const radii = [0, 1, 5, 20, 36, 1000].map((count) => nodeRadius(count, 36))
    expect(radii[0]).toBe(8)
    expect(radii.at(-1)).toBe(20)
    expect(radii).toEqual([...radii].sort((a, b) => a - b))
  })

  test('are relative to the graph: the largest 2 % get the largest size, from 12 observations on', () => {
    expect(fullRadiusAt([0, 1, 2])).toBe(12)
    expect(fullRadiusAt([])).toBe(12)
    expect(fullRadiusAt(Array.from({ length: 100 }, (_, i) => i))).toBe(98)
    const model = new GraphModel()
    const sized = (id: number) => ({ ...nodeOf(id), observationsCount: id })
    model.apply({ nodes: Array.from({ length: 100 }, (_, i) => sized(i)) })
    expect(model.numbers.radius.at(-1)).toBe(20)
    expect(model.numbers.radius[12]).toBeLessThan(12)
    // After this much growth the sizes are computed again.
    model.apply({ nodes: Array.from({ length: 200 }, (_, i) => sized(i + 1000)) })
    expect(model.numbers.radius[99]).toBeLessThan(12)
  })

  test('on screen are true at 1x, and change more slowly than distances', () => {
    expect(screenRadius(10, 1)).toBe(10)
    expect(screenRadius(10, 2)).toBeCloseTo(17.4, 1)
    expect(screenRadius(10, 0.1)).toBeGreaterThan(1)
  })
})

describe('edges', () => {
  test('between the same two nodes spread to both sides, whatever their direction', () => {
    const { numbers } = modelOf(4, ['0-1', '1-0', '0-1', '2-0', '3-3', '3-3'])
    const bends = [0, 1, 2, 3, 4, 5].map((edge) => bendOf(numbers, edge))
    // Seen from node 0 the second edge runs the other way, so its left is the right of the others.
    const seen = [bends[0], -bends[1]!, bends[2]]
    expect(new Set(seen).size).toBe(3)
    expect(bends[3]).toBe(0)
    expect([bends[4], bends[5]]).toEqual([0, 1])
  })

  test('end in an arrow at the rim of their target', () => {
    const shape = emptyEdgeShape()
    for (const bend of [0, 30, -80]) {
      shapeEdge(shape, 0, 0, 200, 50, 20, bend)
      expect(Math.hypot(shape.tipX - 200, shape.tipY - 50)).toBeCloseTo(22, 0)
    }
  })

  test('with a missing end are left out, as are duplicate nodes', () => {
    const model = modelOf(2, ['0-1', '0-7'])
    model.apply({ nodes: model.nodes })
    expect([model.nodes.length, model.edges.length]).toEqual([2, 1])
  })
})

describe('patches', () => {
  /** The content of a model or a copy of its numbers, by ids. */
  const pictureOf = (model: GraphModel, { source, target, radius, ...numbers }: GraphNumbers) => ({
    nodes: model.nodes.map(({ id }, i) => `${id} ${radius[i]}`).sort(),
    edges: model.edges.map((_, i) => `${model.nodes[source[i]!]!.id}-${model.nodes[target[i]!]!.id}`).sort(),
    ...numbers,
  })

  test('keep copies of a graph equal, also to one built from scratch', () => {
    const random = seededRandom(5)
    const below = (end: number) => Math.floor(random() * end)
    const model = modelOf(12, ['0-1', '1-2', '2-2', '3-1', '3-1', '4-0'])
    const copy = new GraphNumbers()
    copy.apply(new GraphModel().apply({ nodes: model.nodes, edges: model.edges }))
    for (let turn = 12; turn < 200; turn++) {
      const ids = model.nodes.map(({ id }) => id)
      const pick = () => ids[below(ids.length)]!
      const patch = model.apply({
        nodes:
          turn % 3 === 0 ? [] : [nodeOf(turn), { ...nodeOf(Number(pick())), observationsCount: turn % 12 }],
        edges: [edgeOf(`${pick()}-${pick()}`, turn), edgeOf(`${turn}-${pick()}`, turn)],
        nodesGone: turn % 4 === 0 && ids.length > 6 ? [pick(), pick()] : [],
        edgesGone: model.edges.slice(0, below(3)),
      })
      copy.apply(patch)
      const anew = new GraphModel()
      anew.apply({ nodes: model.nodes, edges: model.edges })
      expect(pictureOf(model, copy)).toEqual(pictureOf(anew, anew.numbers))
      for (const [node, { id }] of model.nodes.entries()) {
        expect(model.indexOf.get(id)).toBe(node)
        expect(copy.degree(node)).toBe(anew.numbers.degree(node))
        expect(copy.neighbours(node).sort()).toEqual(anew.numbers.neighbours(node).sort())
      }
    }
  })

  test('carry over other data of nodes and mark the new ones', () => {
    const model = modelOf(4, ['0-1'])
    const patch = model.apply({ nodes: [nodeOf(7)], nodesGone: ['0', '1'] })
    const places = carryOver(Float32Array.from([0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5]), 2, patch, Number.NaN)
    const byId = model.nodes.map(({ id }, i) => [id, ...places.subarray(2 * i, 2 * i + 2)])
    expect(byId.sort()).toEqual([
      ['2', 2, 2.5],
      ['3', 3, 3.5],
      ['7', Number.NaN, Number.NaN],
    ])
  })

  test('lead from one graph to another', () => {
    const model = modelOf(5, ['0-1', '1-2', '3-4'])
    const other = modelOf(7, ['0-1', '5-2', '5-6'])
    model.apply(model.changeTo({ nodes: other.nodes.slice(1), edges: other.edges }))
    expect(model.nodes.map(({ id }) => id).sort()).toEqual(['1', '2', '3', '4', '5', '6'])
    expect(model.edges.map(({ id }) => id).sort()).toEqual(['1 5-2', '2 5-6'])
  })

  test('are too small to rank all nodes again', () => {
    const ranks = [5, 1, 4, 2, 3]
    const rankOf = (node: number) => ranks[node]!
    const nothingGone = { nodesGone: new Uint32Array(0) }
    const order = reranked(new Uint32Array(0), nothingGone, 5, null, rankOf)
    expect([...order]).toEqual([1, 3, 4, 2, 0])
    // Node 4 moves into the slot of 1, then a new node 4 is added.
    ranks.splice(1, 1, ranks.pop()!)
    ranks.push(0)
    const gone = { nodesGone: Uint32Array.of(1) }
    expect([...reranked(order, gone, 5, new Set([4]), rankOf)]).toEqual([4, 3, 1, 2, 0])
  })
})

test('connected parts are counted', () => {
  const sizes = componentSizes(5, Uint32Array.from([0, 1]), Uint32Array.from([1, 2]))
  expect([...sizes]).toEqual([3, 3, 3, 1, 1])
})

describe('hit grid', () => {
  const random = seededRandom(11)
  const positions = Float32Array.from({ length: 4000 }, () => random() * 5000 - 2500)
  const radius = Float32Array.from({ length: 2000 }, () => 8 + random() * 12)

  test.each([0.05, 0.5, 1, 3])('finds what a search of all nodes finds, at scale %d', (scale) => {
    const grid = new HitGrid(positions, radius)
    for (let i = 0; i < 300; i++) {
      const x = random() * 5200 - 2600
      const y = random() * 5200 - 2600
      const distances = Array.from(radius, (_, n) =>
        Math.hypot(positions[2 * n]! - x, positions[2 * n + 1]! - y),
      )
      const hits = distances
        .map((distance, node) => ({ distance, node }))
        .filter(({ distance, node }) => distance <= (screenRadius(radius[node]!, scale) + 3) / scale)
        .sort((a, b) => a.distance - b.distance)
      expect(grid.find(x, y, scale)).toBe(hits[0]?.node ?? -1)
      expect(distances[grid.nearest(x, y)]).toBe(Math.min(...distances))
    }
  })

  test('finds no hidden nodes, and nothing in an empty graph', () => {
    const visible = new Uint8Array(2000).fill(1)
    visible[7] = 0
    const grid = new HitGrid(positions, radius, visible)
    expect(grid.find(positions[14]!, positions[15]!, 1, 0)).not.toBe(7)
    const empty = new HitGrid(new Float32Array(0), new Float32Array(0))
    expect([empty.find(0, 0, 1), empty.nearest(0, 0)]).toEqual([-1, -1])
  })

  test('a node far away costs no memory', () => {
    const grid = new HitGrid(Float32Array.from([0, 0, 1e9, 1e9]), Float32Array.from([8, 8]))
    expect(grid.find(1e9, 1e9, 1)).toBe(1)
  })
})

describe('walking by arrow keys', () => {
  //            1
  //   3    0      2
  //      4
  const positions = Float32Array.from([0, 0, 30, -100, 200, 0, -80, 0, -30, 90])
  const all = [0, 1, 2, 3, 4]

  test.each([
    ['up', 1],
    ['right', 2],
    ['left', 3],
    ['down', 4],
  ] as const)('%s leads to the nearest that way', (direction, expected) => {
    expect(nearestInDirection(0, all, direction, positions)).toBe(expected)
  })

  test('leads nowhere if no node lies in that direction', () => {
    expect(nearestInDirection(2, all, 'right', positions)).toBe(-1)
    expect(nearestInDirection(0, [1], 'down', positions)).toBe(-1)
  })
})

describe('placing new nodes', () => {
  test('puts them beside their neighbour, ring by ring, and moves no others', () => {
    const none = Number.NaN
    const positions = Float32Array.from([0, 0, 100, 0, none, none, none, none, none, none])
    placeNewNodes(positions, modelOf(5, ['0-1', '1-2', '2-3']).numbers)
    expect([...positions.subarray(0, 4)]).toEqual([0, 0, 100, 0])
    const distance = (a: number, b: number) =>
      Math.hypot(positions[2 * a]! - positions[2 * b]!, positions[2 * a + 1]! - positions[2 * b + 1]!)
    expect(distance(1, 2)).toBeLessThan(80)
    expect(distance(2, 3)).toBeLessThan(80)
    expect([...positions].every(Number.isFinite)).toBe(true)
    expect(distance(0, 4)).toBeGreaterThan(20)
  })
})

describe('zoom', () => {
  test('is true to scale up to 500 nodes', () => {
    const range = zoomRange(500, 0.3)
    expect([0.1, 1, 4].map((scale) => levelOfScale(scale, range))).toEqual([0.1, 1, 4])
  })

  test('beyond that, 1x fits everything and 4x makes names readable', () => {
    const range = zoomRange(10_000, 0.05)
    expect(levelOfScale(0.05, range)).toBe(1)
    expect(levelOfScale(0.005, range)).toBeCloseTo(0.1)
    expect(levelOfScale(range.most, range)).toBeCloseTo(4)
    expect(range.most).toBeGreaterThan(1)
    expect(zoomRange(600, 0.6).most).toBeCloseTo(2.4)
  })

  test('fits what is visible into the area', () => {
    const positions = Float32Array.from([-100, 0, 300, 50, 9000, 9000])
    const bounds = boundsOf(positions, Uint8Array.from([1, 1, 0]))
    expect(bounds).toEqual({ left: -100, right: 300, top: 0, bottom: 50 })
    const view = fitView(bounds, 800, 600)
    expect(100 * view.k + view.x).toBeCloseTo(400)
    expect(view.k).toBeLessThanOrEqual(1.25)
    expect(boundsOf(new Float32Array(0), null)).toBe(null)
  })
})
