import { beforeEach, expect, test, vi } from 'vitest'
import { rememberDestination, takeDestination } from './destination.ts'

const stored = new Map<string, string>()

beforeEach(() => {
  stored.clear()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
})

test('a visitor is sent where they wanted, once', () => {
  rememberDestination('/relations?type=uses')
  expect(takeDestination('usr_1')).toBe('/relations?type=uses')
  expect(takeDestination('usr_1')).toBe('/dashboard')
})

test("another person is not sent to somebody else's screen", () => {
  rememberDestination('/entities/ent_1', 'usr_1')
  expect(takeDestination('usr_2')).toBe('/dashboard')
  rememberDestination('/entities/ent_1', 'usr_1')
  expect(takeDestination('usr_1')).toBe('/entities/ent_1')
})
