import { useCallback, useEffect } from 'react'
import { probe, useReachability } from '../lib/reachability.ts'
import type { MissingScreenError } from './lazy-screen.tsx'
import { reloadOnce } from './reload-once.ts'

/**
 * Restores a screen whose code is missing: at once when the connection returns, or by reloading the document
 * once if the server no longer has the file.
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
