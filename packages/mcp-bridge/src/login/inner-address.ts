import { BlockList, isIP } from 'node:net'

/** Networks that are not on the public Internet, from IANA's registries of special-purpose addresses. Loopback has its own list. */
const INNER = createList([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/128',
  // Addresses that contain one of IPv4, which a gateway may translate to an inner one.
  '::/96',
  '::ffff:0:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
])

const LOOPBACK = createList(['127.0.0.0/8', '::1/128'])

function createList(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    list.addSubnet(address, Number(prefix), getFamily(address))
  }
  return list
}

function getFamily(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}

/** Whether an IP address is not one of the public Internet: private, link-local, reserved, or of this machine. */
export function isInnerAddress(address: string): boolean {
  return isLoopbackAddress(address) || INNER.check(address, getFamily(address))
}

/** Whether an IP address is one of this machine itself. */
export function isLoopbackAddress(address: string): boolean {
  return LOOPBACK.check(address, getFamily(address))
}

/** Whether the host of a URL is this machine by its name or address. */
export function isLoopbackHost(hostname: string): boolean {
  const address = withoutBrackets(hostname)
  return isIP(address) === 0 ? /^(?:.+\.)?localhost\.?$/.test(hostname) : isLoopbackAddress(address)
}

/** Returns the host of a URL without the brackets around an IPv6 address. */
export function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}
