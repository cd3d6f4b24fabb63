import type { MemoryRight } from '@loci/contract/rights'

/** Describes a set of rights in a word. */
export function wordsOfScopes(scopes: readonly MemoryRight[]): string {
  if (!scopes.includes('memory:write')) return 'Read only'
  return scopes.includes('memory:read') ? 'Read and write' : 'Write only'
}

/** Where the browser is redirected afterwards, as a hint of who receives the access. */
export function placeOfRedirect(address: string): {
  host: string
  isThisComputer: boolean
  isProgram: boolean
} {
  const { protocol, host, hostname } = new URL(address)
  const isWeb = protocol === 'https:' || protocol === 'http:'
  return {
    host: isWeb ? host : protocol.slice(0, -1),
    isThisComputer: ['localhost', '127.0.0.1', '[::1]'].includes(hostname),
    isProgram: !isWeb,
  }
}

const reasons: Record<string, string> = {
  expired: 'This request has expired, or was started in another browser. Start again from the app.',
  invalid_redirect_uri:
    'The app asked to send you to an address that it has not registered. Nothing was connected.',
  invalid_client: 'Loci does not know this app. Remove the connection in the app, then add it again.',
  rate_limited: 'Too many requests came from your network. Wait a minute, then start again from the app.',
  invalid_target: 'The app asked for another server than this one. Nothing was connected.',
  invalid_client_metadata: 'What this app says about itself could not be read. Nothing was connected.',
}

/** Why an app cannot be connected, by the error code in the address. */
export function wordsOfError(code: string): string {
  return reasons[code] ?? 'The app sent a request that Loci does not understand. Nothing was connected.'
}
