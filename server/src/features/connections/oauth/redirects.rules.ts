const loopback = ['localhost', '127.0.0.1', '[::1]']

/** Programs that speak MCP and register an address with a scheme of their own, without a domain name in it. */
const programs = [
  ...[
    'antigravity',
    'claude',
    'code-oss',
    'cursor',
    'goose',
    'jetbrains',
    'kiro',
    'lmstudio',
    'raycast',
    'trae',
  ],
  ...['vscode', 'vscode-insiders', 'vscodium', 'warp', 'windsurf', 'zed'],
]

/** A domain name in reverse, as RFC 8252, 7.1, asks of programs: `com.example.app`. */
const reverseDomain = /^[a-z]{2,}(\.[a-z0-9-]+)+$/

/**
 * Whether a code can be sent to this address: https, a client listening on the user's own machine, or a program with its
 * own address scheme. Schemes of browsers and operating systems, such as `intent:`, are none of these.
 */
export function isSafeRedirect(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, hash, username, password } = new URL(address)
  if (`${hash}${username}${password}` !== '' || address.includes('#')) return false
  if (protocol === 'http:') return loopback.includes(hostname)
  const scheme = protocol.slice(0, -1)
  return scheme === 'https' || programs.includes(scheme) || reverseDomain.test(scheme)
}

/** The host that receives a code, as shown to people, or the scheme that a client has registered. */
export function hostOfRedirect(address: string): string {
  const { protocol, host } = new URL(address)
  return /^https?:$/.test(protocol) ? host : protocol.slice(0, -1)
}
