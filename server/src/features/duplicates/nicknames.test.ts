import { expect, test } from 'vitest'
import { foldName } from '../../search/analyse/name-letters.ts'
import { nicknamesOf } from './nicknames.ts'

/** All names that lead to each other, starting from a few. */
function listNames(): string[] {
  const found = new Set(
    'william margaret alex bartholomew zachary svetlana mohammed chris anne maria jose david charlotte thomas jakob susan eve natalia walter joachim victor'.split(
      ' ',
    ),
  )
  for (const name of found) for (const other of nicknamesOf(name)) found.add(other)
  return [...found]
}

test.each([
  ['kathy', 'katharina'],
  ['bill', 'william'],
  ['peggy', 'margaret'],
  ['sasha', 'aleksandr'],
  ['pepe', 'jose'],
  ['ted', 'theodore'],
  ['gosia', 'malgorzata'],
  ['hans', 'johannes'],
])('%s may be called %s, and the other way round', (short, long) => {
  expect(nicknamesOf(short)).toContain(long)
  expect(nicknamesOf(long)).toContain(short)
})

test('a short form of several names leads to all of them', () => {
  expect(nicknamesOf('alex')).toEqual(expect.arrayContaining(['alexander', 'alexandra']))
  expect(nicknamesOf('chris')).toEqual(expect.arrayContaining(['christian', 'christina', 'christopher']))
})

test('two names that share a short form are not treated as the same', () => {
  expect(nicknamesOf('christian')).not.toContain('christopher')
  expect(nicknamesOf('alexander')).not.toContain('alexandra')
})

test.each(['', 'Kathy', 'kathy ', 'zaphod', 'constructor', '__proto__'])('%j has no other forms', (name) =>
  expect(nicknamesOf(name)).toEqual([]),
)

test('every name leads back from its other forms, and never to itself or to a form twice', () => {
  const names = listNames()
  expect(names.length).toBeGreaterThan(150)
  for (const name of names) {
    const others = nicknamesOf(name)
    expect(others).not.toContain(name)
    expect(new Set(others).size, name).toBe(others.length)
    for (const other of others) expect(nicknamesOf(other), other).toContain(name)
  }
})

test('names are written as they are compared', () => {
  expect(listNames().filter((name) => foldName(name) !== name || /\s/.test(name))).toEqual([])
})
