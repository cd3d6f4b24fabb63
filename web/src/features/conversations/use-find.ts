import { useState } from 'react'
import { useMatches } from './conversations.queries.ts'
import { stepTo } from './find.rules.ts'

export type Find = {
  /** What the address looks for. */
  text: string | undefined
  search: (text: string | undefined) => void
  /** Goes to a turn that is not loaded. */
  open: (turnId: string) => void
}

/** The turns of a conversation that contain a text, and the one that is shown. */
export function useFind(
  conversationId: string,
  { text, open }: Find,
  /** The turn that the address leads to. */
  around: string | undefined,
  isLoaded: (turnId: string) => boolean,
) {
  const { data, error, isPending } = useMatches(conversationId, text)
  const [shown, setShown] = useState<string>()
  const matches = data?.matches ?? []
  const at = matches.findIndex(({ turnId }) => turnId === (shown ?? around))
  function go(step: 1 | -1) {
    const next = matches[stepTo(at, step, matches.length)]
    if (next === undefined) return
    setShown(next.turnId)
    if (!isLoaded(next.turnId)) open(next.turnId)
  }
  return {
    matches,
    isComplete: data?.isComplete ?? true,
    hasFailed: error !== null,
    isPending,
    at,
    shown,
    go,
  }
}
