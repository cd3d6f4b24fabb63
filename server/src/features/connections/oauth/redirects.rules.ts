const loopback = ['localhost', '127.0.0.1', '[::1]']
/** Run something, or show what the sender made, instead of leading to a program. */
const neverLeadAway = ['javascript:', 'vbscript:', 'data:', 'blob:', 'file:', 'about:', 'ws:', 'wss:', 'ftp:']

/**
 * Whether a code may be sent to this address: https, a program that listens on the user's own machine, or one that has
 * an address scheme of its own.
 */
export function isSafeRedirect(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, hash, username, password } = new URL(address)
  if (`${hash}${username}${password}` !== '' || address.includes('#')) return false
  if (protocol === 'http:') return loopback.includes(hostname)
  return protocol === 'https:' || !neverLeadAway.includes(protocol)
}

/** Where a code goes, in a word for people: the host, or the scheme that a program has registered. */
export function hostOfRedirect(address: string): string {
  const { protocol, host } = new URL(address)
  return /^https?:$/.test(protocol) ? host : protocol.slice(0, -1)
}
