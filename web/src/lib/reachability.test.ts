import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { messageOf } from './errors.ts'
import { ConnectionError, onReachability, probe, reachability, watchedFetch } from './reachability.ts'

const answer = vi.fn<typeof fetch>()
const lost = () => Promise.reject(new TypeError('Failed to fetch'))
const there = () => Promise.resolve(new Response('ok'))

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', answer)
  vi.stubGlobal('navigator', { onLine: true })
})
afterEach(async () => {
  answer.mockImplementation(there)
  await probe()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a lost server is reported, retried every few seconds, and reported when it is back', async () => {
  const seen: string[] = []
  const stop = onReachability((now) => seen.push(now))
  answer.mockImplementation(lost)
  await expect(watchedFetch('/api/entities')).rejects.toThrow(ConnectionError)
  await vi.advanceTimersByTimeAsync(0)
  expect(reachability()).toBe('unreachable')
  await vi.advanceTimersByTimeAsync(6_000)
  expect(seen).toEqual(['unreachable'])
  answer.mockImplementation(there)
  await vi.advanceTimersByTimeAsync(3_000)
  expect(seen).toEqual(['unreachable', 'reachable'])
  const calls = answer.mock.calls.length
  await vi.advanceTimersByTimeAsync(60_000)
  expect(answer.mock.calls).toHaveLength(calls)
  stop()
})

test('a single failed call says nothing, and a response of any status is a response', async () => {
  answer.mockImplementationOnce(lost).mockImplementation(there)
  await expect(watchedFetch('/api/entities')).rejects.toThrow('The server cannot be reached')
  await vi.advanceTimersByTimeAsync(0)
  expect(reachability()).toBe('reachable')
  answer.mockImplementation(() => Promise.resolve(new Response('', { status: 500 })))
  await watchedFetch('/api/entities')
  expect(reachability()).toBe('reachable')
})

test('an aborted call says nothing about the server', async () => {
  const reason = new DOMException('Called off', 'AbortError')
  answer.mockImplementation(() => Promise.reject(reason))
  await expect(watchedFetch('/api', { signal: AbortSignal.abort() })).rejects.toBe(reason)
  expect(answer).toHaveBeenCalledOnce()
})

test('without a network the browser is offline, whatever the server does', () => {
  vi.stubGlobal('navigator', { onLine: false })
  expect(reachability()).toBe('offline')
})

test('a change without a response says why, unless the screen has its own words', () => {
  const error = new ConnectionError(new TypeError())
  expect(messageOf(error, '')).toContain('cannot be reached')
  expect(messageOf(error, 'Failed to load API keys')).toBe('Failed to load API keys')
  expect(messageOf(new Error('Oops'), '')).toBe('')
})
