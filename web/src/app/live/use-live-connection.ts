import type { User } from '@loci/contract/auth'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { onLiveEvent, onLiveRewind, openLiveConnection } from '../../lib/live.ts'
import { createLiveUpdates } from './live-updates.ts'

/** Keeps one connection for a user with a key; another key replaces it, and no change falls between the two. */
export function useLiveConnection(user: User | undefined): void {
  const client = useQueryClient()
  const { apiKey, lastSeq = 0 } = user ?? {}
  // The screens read what they show after the session was answered.
  const known = useRef(lastSeq)
  useEffect(() => {
    if (!apiKey) return
    const close = openLiveConnection(apiKey, known.current)
    return () => {
      known.current = close()
    }
  }, [apiKey])
  useEffect(() => onLiveEvent(createLiveUpdates(client)), [client])
  useEffect(() => onLiveRewind(() => void client.invalidateQueries()), [client])
}
