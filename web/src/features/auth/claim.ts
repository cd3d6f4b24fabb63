const claimKey = 'loci.claim'
const hashName = '#claim='

/**
 * Takes the token of a one-time link out of the address, so that neither the history nor a glance over the shoulder
 * keeps it; it stays in this tab until it is used.
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

export function forgetClaim(): void {
  sessionStorage.removeItem(claimKey)
}
