import type { TrustedProxies } from '../config-proxies.ts'

/**
 * Whose `X-Forwarded-*` headers are believed, as Fastify takes it. By number of hops, the nearest ones; Fastify itself
 * trusts nobody when it is given a number.
 */
export function trustProxyOption(
  proxies: TrustedProxies,
): false | string[] | ((address: string, hop: number) => boolean) {
  return typeof proxies === 'number' ? (_address, hop) => hop < proxies : proxies
}
