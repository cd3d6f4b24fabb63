import { useSyncExternalStore } from 'react'

const claimKey = 'loci.claim'
const hashName = '#claim='
const listeners = new Set<() => void>()

/**
 * Removes the token of a one-time link from the address, so that neither the history nor an onlooker sees it;
 * the tab keeps it until it is used.
 */
export function keepClaim(): void {
  if (!location.hash.startsWith(hashName)) return
  sessionStorage.setItem(claimKey, location.hash.slice(hashName.length))
  history.replaceState(history.state, '', location.pathname + location.search)
}

/** The token of the link that this tab was opened with. */
export function readClaim(): string | undefined {
  return sessionStorage.getItem(claimKey) ?? undefined
}

/** Like `readClaim`, for components: rerenders when the token is forgotten. */
export function useClaim(): string | undefined {
  return useSyncExternalStore(subscribe, readClaim)
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function forgetClaim(): void {
  sessionStorage.removeItem(claimKey)
  for (const listener of listeners) listener()
}
