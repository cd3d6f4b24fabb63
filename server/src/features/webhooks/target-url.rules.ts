import { isIP } from 'node:net'
import { AppError } from '../../ground/errors/app-error.ts'
import { isPublicAddress } from '../../ground/lib/public-addresses.ts'

/** Names that never lead to a public address. */
const privateNames = /^(?:localhost|.*\.(?:localhost|local|internal|home\.arpa))\.?$/

/** Host of a URL for lookup or connection: an IPv6 address without its brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

/**
 * Normalises the URL of an endpoint; `2130706433` and `0x7f.1` become `127.0.0.1`. Names are looked up when a delivery
 * connects. Throws `webhook_url_refused`.
 */
export function toTargetUrl(text: string, allowsPrivate: boolean): string {
  if (!URL.canParse(text)) throw refused('The URL is not an address')
  const url = new URL(text)
  if (url.username !== '' || url.password !== '')
    throw refused('The URL must not contain a user or a password')
  if (url.protocol !== 'https:' && !(allowsPrivate && url.protocol === 'http:')) {
    throw refused(`The URL must begin with https://${allowsPrivate ? ' or http://' : ''}`)
  }
  const host = hostOf(url)
  const isPrivate = isIP(host) === 0 ? privateNames.test(host) : !isPublicAddress(host)
  if (isPrivate && !allowsPrivate) throw refused('The URL leads to a private address')
  url.hash = ''
  return url.href
}

const refused = (message: string) =>
  new AppError('webhook_url_refused', message, { details: [{ path: 'url', message }] })
