import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { isIP } from 'node:net'
import { AddressRefused, createLookUp, type Resolve } from '../../../ground/lib/look-up.ts'
import { isPublicAddress } from '../../../ground/lib/public-addresses.ts'

/** More than client metadata or a client's keys need. */
const documentBytesMax = 64 * 1024

export type DocumentOptions = {
  /** Whether documents can be at private addresses. */
  allowsPrivate: boolean
  resolve?: Resolve | undefined
  /** Certificate authorities to trust instead of the default ones. */
  ca?: string | undefined
}

export type FetchDocument = (
  address: string | URL,
  options: { headers: Headers; signal: AbortSignal },
) => Promise<Response>

/**
 * Fetches the documents that clients publish about themselves, over https and without following redirects. The address
 * is checked at connection time, as for webhooks.
 */
export function createFetchDocument({ allowsPrivate, resolve, ca }: DocumentOptions): FetchDocument {
  const lookup = createLookUp(allowsPrivate, resolve)
  return async (address, { headers, signal }) => {
    const url = new URL(address)
    const host = url.hostname.replace(/^\[|\]$/g, '')
    if (url.protocol !== 'https:') throw new AddressRefused(`${url.href} is not https`)
    // A literal address does not go through the look-up.
    if (!allowsPrivate && isIP(host) !== 0 && !isPublicAddress(host)) {
      throw new AddressRefused(`${host} is not public`)
    }
    const { promise, resolve: answer, reject } = Promise.withResolvers<IncomingMessage>()
    const options = { headers: Object.fromEntries(headers), signal, lookup, agent: false, ...(ca && { ca }) }
    request(url, options, answer).on('error', reject).end()
    return toResponse(await promise)
  }
}

async function toResponse(message: IncomingMessage): Promise<Response> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of message) {
    bytes += chunk.length
    if (bytes > documentBytesMax) throw new Error('The document is too large')
    chunks.push(chunk)
  }
  const headers = new Headers()
  for (const name of ['content-type', 'cache-control', 'expires']) {
    const value = message.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  const status = message.statusCode!
  return new Response(status === 204 || status === 304 ? null : Buffer.concat(chunks), { status, headers })
}
