import { expect, test } from 'vitest'
import { GraphModel } from '../model/graph-model.ts'
import { lightTheme } from '../theme.ts'
import { Names } from './node-names.ts'
import { chooseRelationNames } from './relation-names.ts'
import { changeScene, emptyScene } from './scene.ts'

const painter = { font: '', measureText: (text: string) => ({ width: 6 * text.length }) }

type Taken = [left: number, top: number, right: number, bottom: number]

/** The type of a relation between nodes at 100 and 100 + `length` pixels, beside another text. */
function typeAlong(relationType: string, length: number, ...taken: Taken[]) {
  const nodes = ['a', 'b'].map((id) => ({ id, name: id, type: 'event', observationsCount: 0 }))
  const edges = [{ id: 'ab', fromEntityId: 'a', toEntityId: 'b', relationType }]
  const scene = emptyScene(lightTheme, { family: 'sans-serif' })
  changeScene(scene, new GraphModel().apply({ nodes, edges }))
  scene.positions = Float32Array.of(100, 300, 100 + length, 300)
  Object.assign(scene, { width: 900, height: 600 })
  const names = new Names()
  names.begin(scene)
  for (const box of taken) names.occupancy.take(...box)
  return chooseRelationNames(painter, scene, names.occupancy, [0])[0]
}

test('a relation shows its type, cut if its edge is too short for all of it, or not at all', () => {
  const type = 'is_responsible_for_the_operation_of'
  expect(typeAlong(type, 400)?.text).toBe('is responsible for the operation of')
  expect(typeAlong(type, 180)?.text).toBe('is responsible...')
  expect(typeAlong(type, 60)).toBeUndefined()
  expect(typeAlong('owns', 80)?.text).toBe('owns')
})

test('a relation type stays clear of a name that touches the middle of its edge', () => {
  expect(typeAlong('owns', 400)?.at).toBe(0.5)
  const { at } = typeAlong('owns', 400, [240, 293, 285, 307])!
  expect(100 + at * 400 - 12).toBeGreaterThan(285)
  expect(typeAlong('owns', 400, [100, 293, 500, 307])).toBeUndefined()
})
