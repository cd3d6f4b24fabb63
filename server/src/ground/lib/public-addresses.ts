import { BlockList, isIP } from 'node:net'

/** https://www.iana.org/assignments/iana-ipv4-special-registry, and multicast. */
const specialIpv4: [network: string, prefix: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

/** Within 2000::/3: addresses that lead into IPv4 (Teredo, 6to4), or are for documentation and protocols. */
const specialIpv6: [network: string, prefix: number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

const special = new BlockList()
for (const [network, prefix] of specialIpv4) special.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of specialIpv6) special.addSubnet(network, prefix, 'ipv6')

/**
 * The range of public IPv6 addresses; mapped IPv4, loopback, link-local, unique local and NAT64 addresses are
 * outside.
 */
const globalIpv6 = new BlockList()
globalIpv6.addSubnet('2000::', 3, 'ipv6')

/** Whether an IP address is publicly reachable; false for anything that is not an IP address. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !special.check(address, 'ipv4')
  return family === 6 && globalIpv6.check(address, 'ipv6') && !special.check(address, 'ipv6')
}
