import { useCallback, useEffect } from 'react'
import { probe, useReachability } from '../lib/reachability.ts'
import type { MissingScreenError } from './lazy-screen.tsx'
import { reloadOnce } from './reload-once.ts'

/**
 * Brings back a screen whose code is missing: at once when the connection is back, and by one reload of the document
 * where the server has no such file any more.
 */
export function useMissingScreen(error: MissingScreenError, reset: () => void) {
  const reachable = useReachability() === 'reachable'
  const load = useCallback(async (): Promise<boolean> => {
    try {
      await error.retry()
      reset()
      return true
    } catch {
      return false
    }
  }, [error, reset])
  useEffect(() => {
    if (!reachable) return
    void (async () => {
      if (!(await load()) && (await probe())) reloadOnce()
    })()
  }, [reachable, load])
  async function retry(): Promise<void> {
    if (!(await load()) && (await probe())) window.location.reload()
  }
  return { reachable, retry }
}
