import { describe, expect, test } from 'vitest'
import { adjacencyOf } from '../model/adjacency.ts'
import { GraphModel } from '../model/graph-model.ts'
import { layoutQuality } from '../testing/layout-quality.ts'
import { type SampleGraph, sampleGraph } from '../testing/sample-graph.ts'
import { findClusters } from './clusters.ts'
import { ForceLayout } from './force-layout.ts'
import { multilevelPositions, spiralPositions } from './starting-positions.ts'

function startOf(data: SampleGraph, ticks = 300) {
  const model = new GraphModel()
  model.apply(data)
  const { nodeCount, source, target, radius } = model.numbers
  return { nodeCount, source, target, radius, ticks, positions: spiralPositions(nodeCount) }
}

function run(layout: ForceLayout): Float32Array {
  while (!layout.resting) layout.tick()
  return layout.copyPositions()
}

function byId(data: SampleGraph, positions: Float32Array): Record<string, [number, number]> {
  return Object.fromEntries(
    data.nodes.map(({ id }, i) => [id, [positions[2 * i]!, positions[2 * i + 1]!] as [number, number]]),
  )
}

describe('force layout', () => {
  test('gives the same positions for the same graph', () => {
    const data = sampleGraph({ nodes: 120 })
    expect(run(new ForceLayout(startOf(data)))).toEqual(run(new ForceLayout(startOf(data))))
  })

  test('separates communities', () => {
    const data = sampleGraph({ nodes: 250 })
    const quality = layoutQuality(data, byId(data, run(new ForceLayout(startOf(data)))))
    expect(quality).toBeLessThan(0.3)
  })

  test('leaves no two nodes on top of each other', () => {
    const data = sampleGraph({ nodes: 120 })
    const start = startOf(data)
    const positions = run(new ForceLayout(start))
    let overlapMax = 0
    for (let i = 0; i < start.nodeCount; i++) {
      for (let j = 0; j < i; j++) {
        const distance = Math.hypot(
          positions[2 * i]! - positions[2 * j]!,
          positions[2 * i + 1]! - positions[2 * j + 1]!,
        )
        overlapMax = Math.max(overlapMax, start.radius[i]! + start.radius[j]! - distance)
      }
    }
    expect(overlapMax).toBeLessThan(4)
  })

  test('keeps unconnected nodes close to the rest', () => {
    const data = sampleGraph({ nodes: 250, isolated: 10 })
    const positions = run(new ForceLayout(startOf(data)))
    const reach = (i: number) => Math.hypot(positions[2 * i]!, positions[2 * i + 1]!)
    const linked = Math.max(...Array.from({ length: 240 }, (_, i) => reach(i)))
    const isolated = Math.max(...Array.from({ length: 10 }, (_, i) => reach(240 + i)))
    expect(isolated).toBeLessThan(1.5 * linked)
  })

  test('does not move frozen nodes until somebody drags one', () => {
    const data = sampleGraph({ nodes: 30 })
    const start = startOf(data)
    const frozen = new Uint8Array(30).fill(1)
    frozen[29] = 0
    const layout = new ForceLayout({ ...start, frozen })
    const after = run(layout)
    expect(after.subarray(0, 58)).toEqual(start.positions.subarray(0, 58))
    expect(after.subarray(58)).not.toEqual(start.positions.subarray(58))
    layout.pin(0, 500, 500, true)
    for (let i = 0; i < 10; i++) layout.tick()
    expect([layout.x[0], layout.y[0]]).toEqual([500, 500])
    expect(layout.x[1]).not.toBe(start.positions[2])
  })

  test('comes to rest after a drag with the node where it was dropped', () => {
    const layout = new ForceLayout(startOf(sampleGraph({ nodes: 30 })))
    run(layout)
    layout.pin(3, 40, -70, true)
    expect(layout.resting).toBe(false)
    layout.cool()
    const positions = run(layout)
    expect([...positions.subarray(6, 8)]).toEqual([40, -70])
  })

  test('handles no nodes, one node, loops and nodes at one point', () => {
    expect(run(new ForceLayout(startOf({ nodes: [], edges: [] })))).toHaveLength(0)
    const nodes = ['a', 'b', 'c'].map((id) => ({ id, name: id, type: 'x', observationsCount: 0 }))
    const edges = [{ id: 'e', fromEntityId: 'a', toEntityId: 'a', relationType: 'is' }]
    const start = { ...startOf({ nodes, edges }), positions: new Float32Array(6) }
    expect([...run(new ForceLayout(start))].every(Number.isFinite)).toBe(true)
    expect(
      [...run(new ForceLayout(startOf({ nodes: nodes.slice(0, 1), edges })))].every(Number.isFinite),
    ).toBe(true)
  })
})

describe('multilevel start', () => {
  const data = sampleGraph({ nodes: 2000 })
  const { nodeCount, source, target, radius } = startOf(data)
  const places = () => multilevelPositions(nodeCount, source, target, 1.8)

  test('finds more than a few groups and fewer than there are nodes', () => {
    const clusters = findClusters(adjacencyOf(nodeCount, source, target))
    expect(clusters.count).toBeLessThan(nodeCount / 4)
    expect(Math.max(...clusters.sizes)).toBeLessThan(nodeCount / 4)
    expect(clusters.sizes.reduce((a, b) => a + b)).toBe(nodeCount)
  })

  test('is readable at once and better after a few ticks', () => {
    const positions = places()
    const before = layoutQuality(data, byId(data, positions))
    const layout = new ForceLayout({ nodeCount, source, target, radius, positions, ticks: 120 })
    for (let i = 0; i < 20; i++) layout.tick()
    expect(before).toBeLessThan(0.35)
    expect(layoutQuality(data, byId(data, layout.copyPositions()))).toBeLessThan(before)
  })

  test('is the same every time', () => {
    expect(places()).toEqual(places())
  })
})
