import { expect, test } from 'vitest'
import { places } from './nav-items.ts'
import { createShortcutReader, placeKeys, shortcutGroups } from './shortcuts.ts'

function read(...keys: (string | number)[]) {
  let now = 0
  const reader = createShortcutReader(() => now)
  return keys.flatMap((key) => {
    if (typeof key === 'string') return [reader(key)]
    now += key
    return []
  })
}

test('single keys search, create and help', () => {
  expect(read('/', 'c', '?', 'x')).toEqual(['search', 'create', 'help', undefined])
})

test('g and a letter go to every place, each with its own letter', () => {
  for (const { to } of places) expect(read('g', placeKeys[to])).toEqual([undefined, { go: to }])
  expect(new Set(Object.values(placeKeys)).size).toBe(places.length)
})

test('an unassigned letter does nothing, and g is forgotten after a while', () => {
  expect(read('g', 'z')).toEqual([undefined, undefined])
  expect(read('g', 1_600, 'e')).toEqual([undefined, undefined])
  expect(read('g', 1_600, 'c')).toEqual([undefined, 'create'])
})

test('the help names every place', () => {
  const listed = shortcutGroups.flatMap(({ rows }) => rows.map(({ label }) => label))
  for (const { label } of places) expect(listed).toContain(label)
})
