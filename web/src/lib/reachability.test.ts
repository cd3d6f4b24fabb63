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

test('a proxy that answers for a server that is gone is no answer of the server', async () => {
  const gone = () => Promise.resolve(new Response('<h1>502 Bad Gateway</h1>', { status: 502 }))
  answer.mockImplementation(gone)
  await watchedFetch('/api/entities')
  await vi.advanceTimersByTimeAsync(0)
  expect(reachability()).toBe('unreachable')
  await watchedFetch('/api/entities')
  await vi.advanceTimersByTimeAsync(3_000)
  expect(reachability()).toBe('unreachable')
  answer.mockImplementation(there)
  await vi.advanceTimersByTimeAsync(3_000)
  expect(reachability()).toBe('reachable')
})

test('a server that accepts calls and never answers is reported, too', async () => {
  answer.mockImplementation(
    (_, init) => new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(lost))),
  )
  const silent = Promise.withResolvers<void>()
  vi.spyOn(AbortSignal, 'timeout').mockImplementationOnce((ms) => {
    expect(ms).toBe(10_000)
    const controller = new AbortController()
    void silent.promise.then(() => controller.abort())
    return controller.signal
  })
  const probed = probe()
  silent.resolve()
  expect(await probed).toBe(false)
  expect(reachability()).toBe('unreachable')
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
