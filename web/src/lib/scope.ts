import { useSyncExternalStore } from 'react'
import { parseSearch } from './search-params.ts'

/** The account and the space that the screens show; undefined means the person's own and the default one. */
export type Scope = { account?: string; space?: string }

let current: Scope = {}
const listeners = new Set<() => void>()

export function currentScope(): Scope {
  return current
}

/** The scope that an address names: `?space=` and `?account=`, which every link keeps. */
export function scopeOf(search: string): Scope {
  const { account, space } = parseSearch(search)
  return { ...(account && { account }), ...(space && { space }) }
}

/** Takes over another scope, and tells those who listen; nothing when it is the same. */
export function setScope({ account, space }: Scope): void {
  if (account === current.account && space === current.space) return
  current = { account, space }
  for (const listener of listeners) listener()
}

export function subscribeToScope(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useScope(): Scope {
  return useSyncExternalStore(subscribeToScope, currentScope)
}

/** What tells the server of the scope, with every call. */
export function scopeHeaders(): Record<string, string> {
  const { account, space } = current
  return {
    ...(account && { 'loci-account': headerText(account) }),
    ...(space && { 'loci-space': headerText(space) }),
  }
}

/** A header holds ASCII; a space may have any name. */
function headerText(text: string): string {
  return /^[ -$&-~]*$/.test(text) ? text : encodeURIComponent(text)
}
