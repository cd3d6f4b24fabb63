import { expect, test } from 'vitest'
import { parseSearch } from '../../lib/search-params.ts'
import { readGraphAddress } from './graph-address.ts'
import { limitOptions } from './limit-options.ts'
import { LiveGraph, liveGraphOf } from './live-graph.ts'
import { pathSteps } from './path-steps.ts'
import { mostConnected } from './rank-nodes.ts'
import { recencies, timeSpanOf } from './time-span.ts'
import { expansion, hiding, selection, unhiding } from './use-graph-actions.ts'
import { searchOf } from './use-saved-views.ts'

const hourMs = 3_600_000
const now = Date.parse('2026-11-22T12:00:00.000Z')
const ago = (hours: number) => new Date(now - hours * hourMs).toISOString()
const entity = (id: string, hours = 0) => ({
  id,
  name: id.toUpperCase(),
  type: 'thing',
  observationsCount: 0,
  createdAt: ago(hours),
  updatedAt: ago(hours),
})
const relation = (id: string, fromEntityId: string, toEntityId: string, relationType = 'uses') => ({
  id,
  fromEntityId,
  toEntityId,
  relationType,
  createdAt: ago(0),
})
const graph = liveGraphOf({
  entities: [entity('a', 48), entity('b', 24), entity('c', 1)],
  relations: [relation('1', 'a', 'b'), relation('2', 'c', 'b', 'owns')],
  truncated: false,
})

test('an address contains everything that a saved view shows, and reads the same again', () => {
  const search =
    'limit=1000&depth=3&selected=ent_1&hidden=person&hiddenRelations=uses,owns&hiddenNodes=ent_2&expanded=ent_3&from=ent_4&to=ent_5&view=plan&asOf=2026-11-01T00:00:00.000Z&recent=week'
  const address = readGraphAddress(parseSearch(search))
  expect(address).toMatchObject({
    limit: 1000,
    view: 'plan',
    recent: 'week',
    hiddenRelations: ['uses', 'owns'],
  })
  expect(readGraphAddress(parseSearch(searchOf(address)))).toEqual(address)
  expect(readGraphAddress({ limit: '0', depth: '9', view: 'cube', recent: 'year' })).toMatchObject({
    limit: 250,
    depth: 2,
    view: 'graph',
    recent: undefined,
  })
})

test('selecting ends a path that has only a start; a picked node is unhidden', () => {
  const address = readGraphAddress({ from: 'a', hidden: 'thing,person', hiddenNodes: 'a,b', expanded: 'a' })
  expect(selection(address, 'b')).toEqual({ to: 'b' })
  expect(selection(address, 'a')).toEqual({ selected: 'a' })
  expect(unhiding(address, 'a', 'thing')).toEqual({ hiddenTypes: ['person'], hiddenNodes: ['b'] })
  expect(expansion(address, 'a')).toEqual({ expanded: ['a'] })
  expect(hiding({ ...address, selected: 'c' }, ['b', 'c'])).toEqual({
    hiddenNodes: ['a', 'b', 'c'],
    selected: undefined,
  })
})

test('the limits range from the smallest to all, including the one in the address', () => {
  const labels = (asked: number) => limitOptions(asked).map(({ label }) => label)
  expect(labels(250)).toEqual(['100', '250', '500', '1,000', '2,500', '5,000', '10,000', 'All'])
  expect(labels(7)[0]).toBe('7')
  expect(labels(100_000).at(-1)).toBe('All')
})

test('the most connected come first, and no more than requested', () => {
  expect(mostConnected(graph, 2).map(({ entity: { id }, relations }) => [id, relations])).toEqual([
    ['b', 2],
    ['a', 1],
  ])
  expect(mostConnected(new LiveGraph(), 2)).toEqual([])
  const unlinked = liveGraphOf({ entities: [entity('a')], relations: [], truncated: false })
  expect(mostConnected(unlinked, 2), 'nothing is connected').toEqual([])
})

test('relation types are counted as relations are added, changed and removed', () => {
  const changing = liveGraphOf({ entities: [entity('a'), entity('b')], relations: [], truncated: false })
  expect(changing.relationTypes).toEqual([])
  changing.setRelation(relation('1', 'a', 'b'))
  changing.setRelation(relation('2', 'a', 'b', 'owns'))
  changing.setRelation(relation('1', 'a', 'b', 'owns'))
  expect(changing.relationTypes).toEqual([{ type: 'owns', count: 2 }])
  changing.removeEntity('a')
  expect(changing.relationTypes).toEqual([])
})

test('a path names its relations and their direction', () => {
  const path = {
    entities: [entity('a'), entity('b'), entity('c')],
    relations: [relation('1', 'a', 'b'), relation('2', 'c', 'b', 'owns')],
    truncated: false,
  }
  expect(pathSteps(path).map(({ entity: { id }, relation: step }) => [id, step])).toEqual([
    ['a', { type: 'uses', forward: true }],
    ['b', { type: 'owns', forward: false }],
    ['c', undefined],
  ])
})

test('time runs from the first entity to now, with a count for each part', () => {
  const span = timeSpanOf(graph, now)!
  expect([span.start, span.end]).toEqual([now - 48 * hourMs, now])
  expect(span.counts).toHaveLength(48)
  expect([span.counts[0], span.counts[24], span.counts[47]]).toEqual([1, 1, 1])
  expect(timeSpanOf(new LiveGraph(), now)).toBeUndefined()
})

test('the newer, the stronger the glow, and none beyond the span', () => {
  const strengths = recencies(graph, now, 48 * hourMs)
  expect([...strengths.keys()]).toEqual(['b', 'c'])
  expect(strengths.get('b')).toBeCloseTo(0.5)
  expect(strengths.get('c')).toBeGreaterThan(0.9)
  const old = { ...entity('d', 480), updatedAt: ago(1) }
  const changed = liveGraphOf({ entities: [old], relations: [], truncated: false })
  expect(recencies(changed, now, 48 * hourMs).get('d')).toBeGreaterThan(0.9)
})
