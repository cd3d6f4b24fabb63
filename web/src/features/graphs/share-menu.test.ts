import { expect, test } from 'vitest'
import { storedAt } from '../../../test/memory.ts'
import { liveGraphOf } from './live-graph.ts'
import { listShareables } from './share-menu.tsx'

const entity = (id: string) => ({
  id,
  name: `Node ${id}`,
  type: 'machine',
  observationsCount: 0,
  createdAt: storedAt,
  updatedAt: storedAt,
})
const graph = liveGraphOf({ entities: [entity('a'), entity('b')], relations: [], truncated: false })
const region = { id: 'b', name: 'Engines', named: true, loose: false, size: 2 }
const drawing = (loose = false) => ({
  regions: () => [{ ...region, loose }],
  regionNodes: () => ['a', 'b'],
})
const labels = (list: ReturnType<typeof listShareables>) => list.map(({ label }) => label)

test('what is on the screen can be shared, the most particular first', () => {
  const all = listShareables(drawing(), graph, { selected: 'a', from: 'a', to: 'b' })
  expect(labels(all)).toEqual([
    'Path: Node a to Node b',
    'Entity: Node a',
    'Region: Engines',
    'The graph as of now',
  ])
  expect(all[2]!.view).toEqual({ kind: 'region', regionId: 'b' })
})

test('an entity outside every region has none to share, and of the past only its date is shared', () => {
  expect(labels(listShareables(drawing(true), graph, { selected: 'a' }))).toEqual([
    'Entity: Node a',
    'The graph as of now',
  ])
  expect(labels(listShareables(undefined, graph, { selected: 'gone' }))).toEqual(['The graph as of now'])
  const past = listShareables(drawing(), graph, { selected: 'a', asOf: '2026-01-01T00:00:00.000Z' })
  expect(past).toEqual([
    {
      view: { kind: 'date', asOf: '2026-01-01T00:00:00.000Z' },
      name: 'the graph',
      label: 'The graph as of this moment',
    },
  ])
})
