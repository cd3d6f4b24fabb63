import type { IncomingHttpHeaders } from 'node:http'
import { spaceHeader } from '@loci/contract/spaces'

/** The space that a request names in its header or in the address, if any. */
export function spaceNamedIn(headers: IncomingHttpHeaders, query: unknown): string | undefined {
  const header = headers[spaceHeader]
  if (typeof header === 'string' && header !== '') return decodeHeader(header)
  const named: unknown = Reflect.get(Object(query), 'space')
  const first: unknown = Array.isArray(named) ? named[0] : named
  return typeof first === 'string' && first !== '' ? first : undefined
}

/** Node hands headers over as Latin-1; names come in UTF-8, or percent-encoded by clients that cannot send that. */
function decodeHeader(header: string): string {
  const text = asUtf8(header) ?? header
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function asUtf8(header: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(header, 'latin1'))
  } catch {
    return undefined
  }
}
