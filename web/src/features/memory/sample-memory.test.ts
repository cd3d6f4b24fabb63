import { beforeEach, expect, test, vi } from 'vitest'
import { readSampleSet, sampleMemory, storeSampleSet } from './sample-memory.ts'

const stored = new Map<string, string>()
beforeEach(() => {
  stored.clear()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
})

test('every relation of the sample has both ends in it, and every entity has observations', () => {
  const names = new Set(sampleMemory.entities.map(({ name }) => name))
  expect(names.size).toBe(sampleMemory.entities.length)
  for (const { from, to } of sampleMemory.relations)
    expect([...names]).toEqual(expect.arrayContaining([from, to]))
  for (const { observations } of sampleMemory.entities) expect(observations.length).toBeGreaterThan(0)
})

test('a sample is removed from the account that it was loaded into, and from no other', () => {
  storeSampleSet('acc_1', 'set_7')
  expect(readSampleSet('acc_1')).toBe('set_7')
  expect(readSampleSet('acc_2')).toBeUndefined()
  storeSampleSet('acc_1', undefined)
  expect(readSampleSet('acc_1')).toBeUndefined()
})
