import { describe, expect, test } from 'vitest'
import { floorPlanOf } from '../layout/floor-plan.ts'
import { GraphModel } from '../model/graph-model.ts'
import { sampleGraph } from '../testing/sample-graph.ts'
import { lightTheme } from '../theme.ts'
import { levelFor, nameLengthFor } from './level.ts'
import { drawnName, Names, type NodeName, nameFont, placeOfName } from './node-names.ts'
import { chooseRelationNames, nearRelations } from './relation-names.ts'
import { changeScene, emptyScene, nodeScreenRadius, type Scene, screenX, screenY } from './scene.ts'

const painter = { font: '', measureText: (text: string) => ({ width: 6.5 * text.length }) }

/** A graph on a grid, seen at a scale. */
function sceneAt(k: number, nodes = 300): Scene {
  const scene = emptyScene(lightTheme, { family: 'sans-serif' })
  changeScene(scene, new GraphModel().apply(sampleGraph({ nodes })))
  const columns = Math.ceil(Math.sqrt(nodes))
  scene.positions = Float32Array.from({ length: 2 * nodes }, (_, i) => {
    const node = i >> 1
    return 55 * (i % 2 === 0 ? node % columns : Math.floor(node / columns)) + (node % 7)
  })
  const view = { k, x: 400 - 470 * k, y: 300 - 470 * k }
  return Object.assign(scene, { width: 800, height: 600, view })
}

const boxesOf = (scene: Scene, names: readonly NodeName[]) =>
  names.map((name) => {
    const { x, y } = placeOfName(scene, name)
    return { left: x - name.width / 2, right: x + name.width / 2, top: y - 7, bottom: y + 7 }
  })

function expectApart(boxes: ReturnType<typeof boxesOf>): void {
  for (const [i, a] of boxes.entries()) {
    for (const b of boxes.slice(0, i)) {
      expect(a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top).toBe(true)
    }
  }
}

/** Whether a box is above or below a room. */
function isBeside(
  { top, bottom }: { top: number; bottom: number },
  room: { y: number; height: number },
  k: number,
) {
  return bottom <= room.y * k + 20 || top >= (room.y + room.height) * k + 20
}

/** From the centre of a node to the nearest point of a box. */
function distanceTo(
  { left, right, top, bottom }: ReturnType<typeof boxesOf>[number],
  scene: Scene,
  node: number,
) {
  const [x, y] = [screenX(scene, node), screenY(scene, node)]
  return Math.hypot(x - Math.max(left, Math.min(x, right)), y - Math.max(top, Math.min(y, bottom)))
}

describe.each([0.15, 0.3, 0.45, 0.8, 1.1, 1.6, 2.5, 4])('names at scale %d', (k) => {
  test('keep off each other, off every node, and inside of the picture', () => {
    const scene = sceneAt(k)
    const names = new Names()
    names.begin(scene)
    names.keepOffNodes(scene, null)
    const boxes = boxesOf(scene, names.choose(painter, scene, new Set()))
    expectApart(boxes)
    for (const box of boxes) {
      const { left, right, top, bottom } = box
      expect(left >= 0 && right <= 800 && top >= 0 && bottom <= 600).toBe(true)
      for (let node = 0; node < 300; node++) {
        if (nodeScreenRadius(scene, node) < 3.6) continue
        expect(distanceTo(box, scene, node), scene.labels[node]!).toBeGreaterThan(
          nodeScreenRadius(scene, node) - 0.5,
        )
      }
    }
  })

  test('stay on their side while the view moves a little', () => {
    const scene = sceneAt(k)
    const names = new Names()
    const place = () => {
      names.begin(scene)
      names.keepOffNodes(scene, null)
      return names.choose(painter, scene, new Set())
    }
    const before = place()
    scene.view = { ...scene.view, x: scene.view.x + 1 }
    const sides = new Map(place().map(({ node, side }) => [node, side]))
    const moved = before.filter(({ node, side }) => (sides.get(node) ?? side) !== side)
    expect(moved.length).toBeLessThanOrEqual(before.length / 10)
  })

  test('keep off panels', () => {
    const scene = sceneAt(k)
    scene.padding = { left: 300, top: 60, right: 100, bottom: 40 }
    const names = new Names()
    names.begin(scene)
    for (const { left, right, top, bottom } of boxesOf(scene, names.choose(painter, scene, new Set()))) {
      expect(left >= 300 && right <= 700 && top >= 60 && bottom <= 560).toBe(true)
    }
  })

  test('of relations go to relations in view', () => {
    const scene = sceneAt(k)
    const names = new Names()
    names.begin(scene)
    const chosen = chooseRelationNames(painter, scene, names.occupancy, nearRelations(scene))
    const edges = chosen.map(({ edge }) => edge)
    expect(edges.length > 0).toBe(k >= 1.1)
    expect(new Set(edges).size).toBe(edges.length)
    for (const edge of edges) {
      for (const node of [scene.data.source[edge]!, scene.data.target[edge]!]) {
        expect(screenX(scene, node) > 0 && screenX(scene, node) < 800).toBe(true)
        expect(screenY(scene, node) > 0 && screenY(scene, node) < 600).toBe(true)
      }
    }
  })
})

describe('names', () => {
  test('are there in a plan whose rooms reach out of the picture to the left and above', () => {
    const scene = sceneAt(1.6)
    const named = () => {
      const names = new Names()
      names.begin(scene)
      names.keepOffWalls(scene)
      return names.choose(painter, scene, new Set()).length
    }
    const rooms = [{ type: 0, x: -4_000, y: -4_000, width: 2_000, height: 8_000, count: 1 }]
    scene.plan = { rooms: [], doors: new Float32Array(0) }
    const without = named()
    scene.plan = { rooms, doors: new Float32Array(0) }
    expect(without).toBeGreaterThan(10)
    expect(named()).toBe(without)
  })

  test.each([
    [30, 0.5],
    [30, 1.2],
    [220, 0.8],
    [220, 1],
    [220, 2],
  ])('in a plan of %d dots at scale %d keep off dots and walls', (nodes, k) => {
    const scene = sceneAt(k, nodes)
    Object.assign(scene, floorPlanOf({ ...scene.data, type: scene.data.color }, 1))
    scene.view = { k, x: 20, y: 20 }
    const names = new Names()
    names.begin(scene)
    names.keepOffWalls(scene)
    names.keepOffNodes(scene, null)
    const boxes = boxesOf(scene, names.choose(painter, scene, new Set()))
    expect(boxes.length).toBeGreaterThan(2)
    for (const box of boxes) {
      for (let node = 0; node < nodes; node++)
        expect(distanceTo(box, scene, node)).toBeGreaterThan(nodeScreenRadius(scene, node) - 0.5)
      for (const room of scene.plan!.rooms) {
        for (const wall of [room.x, room.x + room.width].map((x) => x * k + 20))
          expect(wall < box.left - 2 || wall > box.right + 2 || isBeside(box, room, k)).toBe(true)
      }
    }
  })

  test('of hidden nodes and of those in `except` are left out', () => {
    const scene = sceneAt(1.6)
    scene.visible = new Uint8Array(300).fill(1)
    const choose = (except: ReadonlySet<number>) => {
      const names = new Names()
      names.begin(scene)
      return names.choose(painter, scene, except).map(({ node }) => node)
    }
    const [first, second] = choose(new Set()) as [number, number]
    scene.visible[first] = 0
    const left = choose(new Set([second]))
    expect(left).not.toContain(first)
    expect(left).not.toContain(second)
  })

  test('are longer in a closer view, and whole names of the selected one longer still', () => {
    const scene = sceneAt(0.8)
    scene.labels[0] = 'x'.repeat(500)
    const lengthAt = (k: number, whole: boolean) => {
      scene.view = { ...scene.view, k }
      return drawnName(scene, 0, whole).length
    }
    expect([lengthAt(0.8, false), lengthAt(1.2, false), lengthAt(2, false)]).toEqual([18, 31, 63])
    expect([lengthAt(0.8, true), lengthAt(2, true)]).toEqual([43, 63])
  })

  test('of important nodes are set in a stronger font', () => {
    const weightOf = (kind: 'strong' | 'hub' | 'plain') => Number.parseInt(nameFont(sceneAt(1), kind), 10)
    expect(weightOf('strong')).toBeGreaterThan(weightOf('plain'))
  })
})

describe('the level of detail', () => {
  test.each([
    [0.1, 10, 'far'],
    [0.3, 10, 'middle'],
    [0.3, 5_000, 'far'],
    [0.42, 5_000, 'middle'],
    [1.09, 10, 'middle'],
    [1.1, 5_000, 'near'],
  ] as const)('at scale %d of %d nodes is %s', (scale, nodes, level) => {
    expect(levelFor(scale, nodes)).toBe(level)
  })

  test('allows longer names only near', () => {
    expect(nameLengthFor(4, 'far')).toBe(nameLengthFor(0.1, 'middle'))
    expect(nameLengthFor(1.2, 'near')).toBeLessThan(nameLengthFor(1.6, 'near'))
  })
})
