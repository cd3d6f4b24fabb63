import type { User } from '@loci/contract/auth'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { onLiveEvent, onLiveNews, onLiveRewind, onLiveStart, openLiveConnection } from '../../lib/live.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { type Scope, useScope } from '../../lib/scope.ts'
import { readToken } from '../../lib/token.ts'
import { createLiveUpdates, createProposalUpdates } from './live-updates.ts'

/**
 * Keeps one connection for a signed-in user and the space that is shown. Another key or space replaces it;
 * no change is lost between two keys.
 */
export function useLiveConnection(user: User | undefined): void {
  const client = useQueryClient()
  const { lastSeq = 0 } = user ?? {}
  // The session rather than the personal key, which is for programs: they do not review, so proposals are no news to them.
  const token = user && (readToken() ?? user.apiKey)
  const scope = useScope()
  // Screens load their data after the session response. Its change number covers the default space only.
  const known = useRef<{ scope: Scope; seq: number | undefined }>({
    scope,
    seq: scope.space || scope.account ? undefined : lastSeq,
  })
  useEffect(() => {
    if (!token) return
    const since = known.current.scope === scope ? known.current.seq : undefined
    const close = openLiveConnection(token, scope, since)
    return () => {
      known.current = { scope, seq: close() }
    }
  }, [token, scope])
  useEffect(() => onLiveEvent(createLiveUpdates(client)), [client])
  useEffect(() => {
    const update = createProposalUpdates(client)
    const stopNews = onLiveNews(({ type }) => type.startsWith('proposal.') && update())
    const stopStart = onLiveStart(update)
    return () => {
      stopNews()
      stopStart()
    }
  }, [client])
  useEffect(
    () => onLiveRewind(() => void client.invalidateQueries({ queryKey: queryKeys.space() })),
    [client],
  )
}
