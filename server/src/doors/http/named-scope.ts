import type { IncomingHttpHeaders } from 'node:http'
import { accountHeader } from '@loci/contract/auth'
import { spaceHeader } from '@loci/contract/spaces'

type Place = { headers: IncomingHttpHeaders; query: unknown }

/** The space that a request names in its header or URL, if any. */
export const spaceNamedIn = (place: Place) => namedIn(place, spaceHeader, 'space')

/** The id of the account that a request names. */
export const accountNamedIn = (place: Place) => namedIn(place, accountHeader, 'account')

function namedIn({ headers, query }: Place, headerName: string, parameter: string): string | undefined {
  const header = headers[headerName]
  if (typeof header === 'string' && header !== '') return decodeHeader(header)
  const named: unknown = Reflect.get(Object(query), parameter)
  const first: unknown = Array.isArray(named) ? named[0] : named
  return typeof first === 'string' && first !== '' ? first : undefined
}

/** Node decodes headers as Latin-1; names arrive as UTF-8, or percent-encoded from clients that cannot send UTF-8. */
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
