const hashName = '#token='
let token: string | undefined

/**
 * The token of the link that this page was opened with. It is taken out of the address, so that neither the history nor
 * a glance over the shoulder keeps it, and stays until the page is left.
 */
export function takeLinkToken(): string | undefined {
  if (location.hash.startsWith(hashName)) {
    token = location.hash.slice(hashName.length)
    history.replaceState(history.state, '', location.pathname + location.search)
  }
  return token
}
