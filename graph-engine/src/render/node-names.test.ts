import { expect, test } from 'vitest'
import { GraphModel } from '../model/graph-model.ts'
import { lightTheme } from '../theme.ts'
import { groupOf } from './emphasis.ts'
import { Names, placeOfName } from './node-names.ts'
import { changeScene, emptyScene, type Scene } from './scene.ts'

const characterWidth = 7
const painter = { font: '', measureText: (text: string) => ({ width: characterWidth * text.length }) }

/** A path on a phone, with nodes close together and at the rim. */
function crowdedPath(): Scene {
  const names = ['Tracking delay', 'Tomasz Kowalski', 'API migration', 'Orbis Medical', 'At the rim']
  const nodes = names.map((name, i) => ({ id: `${i}`, name, type: 'event', observationsCount: 0 }))
  const edges = nodes.slice(1).map(({ id }, i) => ({
    id: `edge ${id}`,
    fromEntityId: `${i}`,
    toEntityId: id,
    relationType: 'leads to',
  }))
  const scene = emptyScene(lightTheme, { family: 'sans-serif' })
  changeScene(scene, new GraphModel().apply({ nodes, edges }))
  scene.positions = Float32Array.of(260, 240, 230, 236, 222, 207, 186, 205, 356, 235)
  Object.assign(scene, {
    width: 358,
    height: 600,
    fitScale: 0.4,
    emphasis: { hovered: -1, selected: -1, start: -1, path: [0, 1, 2, 3, 4], marked: [] },
  })
  return scene
}

test('names on a path stay clear of each other, its stations and its relations', () => {
  const scene = crowdedPath()
  const group = groupOf(scene)!
  const names = new Names()
  names.begin(scene)
  names.keepOffPicked(scene, group)
  const labels = names.chooseStrong(painter, scene, group.nodes, new Set([0, 4]))
  expect(labels.map(({ node }) => node)).toEqual([0, 1, 2, 3, 4])
  const boxes = labels.map((label) => {
    const { x, y } = placeOfName(scene, label)
    const half = label.width / 2
    return { left: x - half, right: x + half, top: y - 6, bottom: y + 6 }
  })
  const within =
    (x: number, y: number) =>
    ({ left, right, top, bottom }: (typeof boxes)[number]) =>
      left < x && x < right && top < y && y < bottom
  for (const [i, box] of boxes.entries()) {
    expect(box.left >= 0 && box.right <= scene.width).toBe(true)
    for (const other of boxes.slice(i + 1)) {
      const apart =
        box.right <= other.left ||
        other.right <= box.left ||
        box.bottom <= other.top ||
        other.bottom <= box.top
      expect(apart, `${labels[i]!.node}`).toBe(true)
    }
  }
  for (let i = 0; i < 5; i++) {
    expect(boxes.some(within(scene.positions[2 * i]!, scene.positions[2 * i + 1]!))).toBe(false)
  }
})

test('the ends of a path are named even without room', () => {
  const scene = crowdedPath()
  scene.positions = new Float32Array(10).fill(100)
  const names = new Names()
  names.begin(scene)
  names.keepOffPicked(scene, groupOf(scene)!)
  const labels = names.chooseStrong(painter, scene, [0, 4, 1, 2, 3, 0, 4], new Set([0, 4]))
  expect(labels.filter(({ node }) => node === 0 || node === 4)).toHaveLength(4)
})

test('a path stays while the pointer rests on it, and gives way to any other node', () => {
  const scene = crowdedPath()
  const at = (hovered: number) => {
    scene.emphasis = { ...scene.emphasis, hovered }
    return groupOf(scene)?.kind
  }
  scene.emphasis = { ...scene.emphasis, path: [0, 1, 2] }
  expect([at(-1), at(2), at(4)]).toEqual(['path', 'path', 'hover'])
})
