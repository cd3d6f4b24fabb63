import { isIP } from 'node:net'
import { z } from 'zod'

/** Nobody, the last so many proxies of a request, or those with these addresses and networks. */
export type TrustedProxies = false | number | string[]

const hopsMax = 16
const namedNetworks = ['loopback', 'linklocal', 'uniquelocal']

const refusalOfTrue =
  'must not be true, which would believe addresses that clients make up: give the number of proxies in front (1), or their addresses'
const refusal = `must be the number of proxies in front (at most ${hopsMax}), or their addresses and networks, such as 10.0.0.0/8,::1`

/** `LOCI_TRUST_PROXY`: a number of hops, or addresses and networks. */
export const trustedProxies = z.string().transform((value, context): TrustedProxies => {
  const text = value.trim().toLowerCase()
  if (text === 'false' || text === '0') return false
  if (/^\d+$/.test(text) && Number(text) <= hopsMax) return Number(text)
  const networks = text.split(',').map((part) => part.trim())
  if (networks.every(isNetwork)) return networks
  context.addIssue({ code: 'custom', message: text === 'true' ? refusalOfTrue : refusal })
  return z.NEVER
})

function isNetwork(text: string): boolean {
  if (namedNetworks.includes(text)) return true
  const [address = '', bits = '1', ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0 || !/^\d{1,3}$/.test(bits)) return false
  return Number(bits) > 0 && Number(bits) <= (version === 4 ? 32 : 128)
}
