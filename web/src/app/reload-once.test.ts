import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { reloadOnce } from './reload-once.ts'

const reload = vi.fn()

beforeEach(() => {
  const stored = new Map<string, string>()
  vi.useFakeTimers()
  reload.mockClear()
  vi.stubGlobal('window', { location: { reload } })
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a page that still lacks files is not reloaded in a loop', () => {
  expect(reloadOnce()).toBe(true)
  expect(reloadOnce()).toBe(false)
  expect(reload).toHaveBeenCalledOnce()
})

test('the next version, later, is loaded again', () => {
  reloadOnce()
  vi.advanceTimersByTime(31_000)
  expect(reloadOnce()).toBe(true)
  expect(reload).toHaveBeenCalledTimes(2)
})
