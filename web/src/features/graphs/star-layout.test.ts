import type { GraphData } from '@loci/contract/graph'
import { expect, test } from 'vitest'
import { layOutStar } from './star-layout.ts'

const createdAt = '2026-11-22T10:00:00.000Z'
const entity = (id: string, observationsCount = 0) => ({
  id,
  name: `Entity with a long name ${id}`,
  type: 'thing',
  observationsCount,
  createdAt,
  updatedAt: createdAt,
})
const size = { width: 660, height: 400 }

/** An entity `a` with `count` neighbours, connected by three types of relation. */
function starOf(count: number): GraphData {
  const ids = Array.from({ length: count }, (_, index) => `n${index}`)
  return {
    entities: [entity('a', 400), ...ids.map((id) => entity(id))],
    relations: ids.map((id, index) => ({
      id: `r${index}`,
      fromEntityId: index % 2 === 0 ? 'a' : id,
      toEntityId: index % 2 === 0 ? id : 'a',
      relationType: ['uses', 'owns', 'knows'][index % 3]!,
      createdAt,
    })),
    truncated: false,
  }
}

test.each([1, 9, 22, 49])('%i neighbours surround their entity, apart and within the frame', (count) => {
  const star = layOutStar(starOf(count), 'a', size)!
  expect([star.centre.x, star.centre.y, star.centre.radius]).toEqual([330, 200, 20])
  expect(star.nodes).toHaveLength(count)
  for (const [index, node] of star.nodes.entries()) {
    expect(node.x > 10 && node.x < 650 && node.y > 10 && node.y < 390).toBe(true)
    for (const other of [star.centre, ...star.nodes.slice(0, index)])
      expect(Math.hypot(node.x - other.x, node.y - other.y)).toBeGreaterThan(node.radius + other.radius)
  }
})

test('those with one type of relation and direction stand side by side, named once', () => {
  const star = layOutStar(starOf(12), 'a', size)!
  const kindOf = (id: string) => {
    const index = Number(id.slice(1))
    return `${index % 3} ${index % 2}`
  }
  const kinds = star.nodes.map(({ entity: { id } }) => kindOf(id))
  const changes = kinds.filter((kind, index) => kind !== kinds[index - 1])
  expect(changes).toHaveLength(new Set(kinds).size)
  expect(star.sectors.map(({ key }) => key)).toHaveLength(6)
  expect(star.centre.label).toBe('Entity with a l…')
})

test('a neighbour with several relations appears once, and a missing entity has no picture', () => {
  const graph = starOf(1)
  const twice = {
    ...graph,
    relations: [...graph.relations, { ...graph.relations[0]!, id: 'again', relationType: 'is' }],
  }
  expect(layOutStar(twice, 'a', size)?.nodes).toHaveLength(1)
  expect(layOutStar(graph, 'zz', size)).toBeUndefined()
})
