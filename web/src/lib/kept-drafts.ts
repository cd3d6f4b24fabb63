import { useEffect, useState } from 'react'

type KeptDrafts = { userId: string; values: Map<string, unknown> }

const open = new Map<string, () => unknown>()
let kept: KeptDrafts | undefined

/** Keeps what the open forms hold, for this user, in this tab, until they open again. */
export function keepDrafts(userId: string): void {
  kept = { userId, values: new Map(Array.from(open, ([name, read]) => [name, read()])) }
}

/** Forgets them, except those of the user who has now signed in. */
export function releaseDrafts(userId: string | undefined): void {
  if (kept?.userId !== userId) kept = undefined
}

export function hasKeptDraft(name: string): boolean {
  return kept?.values.has(name) ?? false
}

/** The values that the form of this name held when the session ended. */
export function useKeptDraft<Values>(name: string): Values | undefined {
  const [values] = useState(() => kept?.values.get(name) as Values | undefined)
  useEffect(() => void kept?.values.delete(name), [name])
  return values
}

/** Has the values kept if the session ends while they are unsaved; no name keeps nothing. */
export function useKeepDraft(name: string | undefined, values: unknown, changed: boolean): void {
  useEffect(() => {
    if (name === undefined || !changed) return
    open.set(name, () => values)
    return () => void open.delete(name)
  }, [name, values, changed])
}
