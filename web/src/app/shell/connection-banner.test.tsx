// @vitest-environment jsdom
import { act, screen, waitFor } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { show } from '../../../test/screen.tsx'
import { serve } from '../../../test/server-double.ts'
import { probe, watchNetwork } from '../../lib/reachability.ts'
import { ConnectionBanner } from './connection-banner.tsx'

const words = () => screen.getByRole('status').textContent

test('says that the server cannot be reached, and disappears once it answers', async () => {
  const server = serve({})
  await show(<ConnectionBanner />)
  expect(words()).toBe('')
  server.isReachable = false
  await act(probe)
  expect(words()).toContain('The server cannot be reached')
  server.isReachable = true
  await act(probe)
  expect(words()).toBe('')
})

test('retries by itself while the server does not answer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const server = serve({})
  await show(<ConnectionBanner />)
  server.isReachable = false
  await act(probe)
  server.isReachable = true
  await act(() => vi.advanceTimersByTimeAsync(3_000))
  expect(words()).toBe('')
})

test("says that the browser is offline, which is not the server's fault", async () => {
  serve({})
  watchNetwork()
  await show(<ConnectionBanner />)
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  act(() => void window.dispatchEvent(new Event('offline')))
  expect(words()).toContain('You are offline')
  online.mockRestore()
  act(() => void window.dispatchEvent(new Event('online')))
  await waitFor(() => expect(words()).toBe(''))
})
