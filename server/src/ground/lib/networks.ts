import { isIPv4, isIPv6 } from 'node:net'
import { memoised } from './memoised.ts'

/** Whether a host name or an address is this machine. */
export function isLoopback(host: string): boolean {
  return ['localhost', '::1', '[::1]'].includes(host) || (host.startsWith('127.') && isIPv4(host))
}

const groupsOfNetwork = 4
const addressesMax = 1_000
const addressLengthMax = 100

/**
 * The key that an address is counted by: an IPv4 address itself, also if written as IPv6, and the /64 of an IPv6
 * address, since its owner can use all of it. Anything else is returned unchanged.
 */
export const networkOf = memoised(
  addressesMax,
  (address) => {
    const [plain = ''] = address.split('%')
    if (!isIPv6(plain)) return plain
    const groups = groupsOf(plain)
    const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
    if (isMapped) return [groups[6]! >> 8, groups[6]! & 255, groups[7]! >> 8, groups[7]! & 255].join('.')
    const network = groups.slice(0, groupsOfNetwork).map((group) => group.toString(16))
    return `${network.join(':')}::/64`
  },
  addressLengthMax,
)

const groupsOfSite = 3

/**
 * The wider network of an address, which many people share: `203.0.113.0/24`, `2001:db8:1::/48`; empty if there is
 * none.
 */
export function widerNetworkOf(address: string): string {
  const network = networkOf(address)
  if (isIPv4(network)) return `${network.split('.').slice(0, 3).join('.')}.0/24`
  if (!network.endsWith('::/64')) return ''
  return `${network.split(':').slice(0, groupsOfSite).join(':')}::/48`
}

/** The eight numbers of an IPv6 address. */
function groupsOf(address: string): number[] {
  // An IPv6 address can end in IPv4 notation; URL normalises it.
  const text = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [head = [], tail = []] = text.split('::').map((part) => (part === '' ? [] : part.split(':')))
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0')
  return [...head, ...zeros, ...tail].map((group) => Number.parseInt(group, 16))
}
