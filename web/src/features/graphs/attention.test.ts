import { expect, test } from 'vitest'
import { dustStrengths, toldStrengths } from './attention.ts'
import { LiveGraph } from './live-graph.ts'
import { GraphRenewal } from './renew-graph.ts'

const now = Date.parse('2026-11-25T00:00:00.000Z')
const daysAgo = (days: number) => new Date(now - days * 86_400_000).toISOString()
const recall = (...entityIds: string[]) => ({ at: daysAgo(1), entityIds })

function graphOf(ages: Record<string, number>): LiveGraph {
  const graph = new LiveGraph()
  const renewal = new GraphRenewal(graph)
  const entities = Object.entries(ages).map(([id, days]) => ({
    ...{ id, name: id, type: 'thing', observationsCount: 1 },
    ...{ createdAt: daysAgo(days), updatedAt: daysAgo(days) },
  }))
  renewal.take({ entities, relations: [], truncated: false })
  return renewal.end(false)
}

test('what agents were told most often glows most, and what is not in the picture is left out', () => {
  const graph = graphOf({ a: 1, b: 1, c: 1 })
  const told = toldStrengths(graph, [recall('a', 'b'), recall('a', 'gone'), recall('a'), recall('a')])
  expect(told).toEqual(new Map([['a', 1], ['b', 0.5]])) // biome-ignore format: pairs
  expect(toldStrengths(graph, [])).toEqual(new Map())
})

test('dust lies on what nobody changed for three months, unless an agent was told of it', () => {
  const graph = graphOf({ fresh: 10, old: 100, oldest: 800, told: 800 })
  const dust = dustStrengths(graph, [recall('told')], now)
  expect([...dust.keys()]).toEqual(['old', 'oldest'])
  expect(dust.get('oldest')).toBe(-1)
  expect(dust.get('old')).toBeCloseTo(-0.47)
})
