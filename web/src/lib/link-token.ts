const hashName = '#token='
let token: string | undefined

/**
 * The token of the link that opened this page. It is removed from the address, so that neither the history
 * nor an onlooker sees it, and kept until the page is left.
 */
export function takeLinkToken(): string | undefined {
  if (location.hash.startsWith(hashName)) {
    token = location.hash.slice(hashName.length)
    history.replaceState(history.state, '', location.pathname + location.search)
  }
  return token
}
