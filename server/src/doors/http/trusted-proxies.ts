import type { TrustedProxies } from '../../ground/config/config-proxies.ts'

/**
 * Which proxies' `X-Forwarded-*` headers are trusted, in Fastify's format. A number of hops becomes a function, since
 * Fastify itself trusts nobody when given a number.
 */
export function trustProxyOption(
  proxies: TrustedProxies,
): false | string[] | ((address: string, hop: number) => boolean) {
  return typeof proxies === 'number' ? (_address, hop) => hop < proxies : proxies
}
