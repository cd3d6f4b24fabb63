import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { onLiveEvent, onLiveRewind, openLiveConnection } from '../../lib/live.ts'
import { createLiveUpdates } from './live-updates.ts'

/** Keeps one connection while there is a key; another key replaces it. */
export function useLiveConnection(apiKey: string | undefined): void {
  const client = useQueryClient()
  useEffect(() => (apiKey ? openLiveConnection(apiKey) : undefined), [apiKey])
  useEffect(() => onLiveEvent(createLiveUpdates(client)), [client])
  useEffect(() => onLiveRewind(() => void client.invalidateQueries()), [client])
}
