const loopback = ['localhost', '127.0.0.1', '[::1]']
/** Schemes that run code, or show content from the sender, instead of leading to a client. */
const neverLeadAway = ['javascript:', 'vbscript:', 'data:', 'blob:', 'file:', 'about:', 'ws:', 'wss:', 'ftp:']

/**
 * Whether a code can be sent to this address: https, a client listening on the user's own machine, or a client with its
 * own address scheme.
 */
export function isSafeRedirect(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, hash, username, password } = new URL(address)
  if (`${hash}${username}${password}` !== '' || address.includes('#')) return false
  if (protocol === 'http:') return loopback.includes(hostname)
  return protocol === 'https:' || !neverLeadAway.includes(protocol)
}

/** The host that receives a code, as shown to people, or the scheme that a client has registered. */
export function hostOfRedirect(address: string): string {
  const { protocol, host } = new URL(address)
  return /^https?:$/.test(protocol) ? host : protocol.slice(0, -1)
}
