// @vitest-environment jsdom
import { act, cleanup, renderHook } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { useCopy } from './use-copy.ts'

test('says for a moment that it copied, and leaves no timer behind', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  vi.stubGlobal('navigator', { clipboard: { writeText: async () => {} } })
  const { result } = renderHook(() => useCopy('text'))
  await act(async () => result.current.copy())
  expect(result.current.copied).toBe(true)
  act(() => vi.runAllTimers())
  expect(result.current.copied).toBe(false)
  await act(async () => result.current.copy())
  cleanup()
  expect(vi.getTimerCount()).toBe(0)
})
