import { useSyncExternalStore } from 'react'
import { parseSearch } from './search-params.ts'

/** The account and the space that the screens show; undefined means the user's own account and its default space. */
export type Scope = { account?: string; space?: string }

let current: Scope = {}
const listeners = new Set<() => void>()

export function currentScope(): Scope {
  return current
}

/** The scope that an address names in `?space=` and `?account=`, which every link keeps. */
export function scopeOf(search: string): Scope {
  const { account, space } = parseSearch(search)
  return { ...(account && { account }), ...(space && { space }) }
}

/** Sets the scope and notifies listeners; does nothing if it is the same. */
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

/** The headers that carry the scope, sent with every call. */
export function scopeHeaders(): Record<string, string> {
  const { account, space } = current
  return {
    ...(account && { 'loci-account': headerText(account) }),
    ...(space && { 'loci-space': headerText(space) }),
  }
}

/** Encodes a space's name, which can have any characters, as ASCII for a header. */
function headerText(text: string): string {
  return /^[ -$&-~]*$/.test(text) ? text : encodeURIComponent(text)
}
