import { expect, test } from 'vitest'
import { GraphModel } from '../model/graph-model.ts'
import { lightTheme } from '../theme.ts'
import { Names } from './names.ts'
import { chooseRelationNames } from './relation-names.ts'
import { changeScene, emptyScene } from './scene.ts'

const painter = { font: '', measureText: (text: string) => ({ width: 6 * text.length }) }

/** The texts along a relation between two nodes that lie `length` pixels apart. */
function textsAlong(relationType: string, length: number): string[] {
  const nodes = ['a', 'b'].map((id) => ({ id, name: id, type: 'event', observationsCount: 0 }))
  const edges = [{ id: 'ab', fromEntityId: 'a', toEntityId: 'b', relationType }]
  const scene = emptyScene(lightTheme, { family: 'sans-serif' })
  changeScene(scene, new GraphModel().apply({ nodes, edges }))
  scene.positions = Float32Array.of(100, 300, 100 + length, 300)
  Object.assign(scene, { width: 900, height: 600 })
  const names = new Names()
  names.begin(scene)
  return chooseRelationNames(painter, scene, names.occupancy, [0]).map(({ text }) => text)
}

test('a relation shows its type, cut if its edge is too short for all of it, or not at all', () => {
  const type = 'is_responsible_for_the_operation_of'
  expect(textsAlong(type, 400)).toEqual([type])
  expect(textsAlong(type, 180)).toEqual(['is_responsible...'])
  expect(textsAlong(type, 60)).toEqual([])
  expect(textsAlong('owns', 80)).toEqual(['owns'])
})
