import { lookup as lookUpBySystem } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { isPublicAddress } from './public-addresses.ts'
import { secondMs } from './time.ts'

/** Thrown while connecting. */
export class AddressRefused extends Error {
  readonly code = 'ADDRESS_REFUSED'
}

export type Resolve = (host: string) => Promise<string[]>

/**
 * Queries the name servers directly: the system's resolver runs in Node's few threads, where slow name servers of one
 * endpoint would hold up all others.
 */
export function createResolve(): Resolve {
  const resolver = new Resolver({ timeout: 3 * secondMs, tries: 2 })
  return async (host) => {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (addresses.length > 0) return addresses
    throw Object.assign(new Error(`No address for ${host}`), { code: 'ENOTFOUND' })
  }
}

/**
 * Resolves a name for a connection, which then uses only these addresses. Private addresses are left out; if none
 * remains, the connection fails.
 */
export function createLookUp(allowsPrivate: boolean, resolve: Resolve = createResolve()): LookupFunction {
  if (allowsPrivate) return lookUpBySystem as LookupFunction
  return (host, options, callback) => {
    void findPublic(resolve, host, options.family).then(
      (found) => (options.all ? callback(null, found) : callback(null, found[0]!.address, found[0]!.family)),
      (error: NodeJS.ErrnoException) => callback(error, options.all ? [] : '', 0),
    )
  }
}

async function findPublic(resolve: Resolve, host: string, family: unknown = 0) {
  const found = (await resolve(host))
    .filter(isPublicAddress)
    .map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    .filter((one) => family === 0 || family === one.family)
  if (found.length === 0) throw new AddressRefused(`${host} has no public address`)
  return found
}
