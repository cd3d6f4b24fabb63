import { expect, test } from 'vitest'
import type { SharedPage } from './read-shared.ts'
import { drawGraph } from './shared-graph.ts'

const names = ['Tracking delay of 14 April, the whole of it', 'Tomasz', 'Orbis Medical and its subsidiaries']

test('the names at the ends of a path are inside the picture', () => {
  const page = {
    share: { kind: 'path' },
    entities: names.map((name, index) => ({
      ...{ number: index + 1, name, type: 'event', colour: 0, facts: [] },
      place: { x: 0, y: 0 },
    })),
    relations: [],
  } as unknown as SharedPage
  const { text } = drawGraph(page)
  const shown = [...text.matchAll(/class="wide" x="(\d+)" y="\d+">([^<]+)</g)]
  expect(shown).toHaveLength(3)
  for (const [, x, name] of shown) {
    const half = (name!.length * 7.4) / 2
    expect(Number(x) - half, name).toBeGreaterThanOrEqual(-1)
    expect(Number(x) + half, name).toBeLessThanOrEqual(901)
  }
})
