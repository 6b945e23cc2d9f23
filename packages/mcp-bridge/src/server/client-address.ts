import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { ServeError } from './serve-error.ts'

/** Returns the address of the client of a request; `undefined` if its connection is gone. */
export type FindClientAddress = (request: IncomingMessage) => string | undefined

/** The addresses that a header may name. */
const MAX_HOPS = 32

/**
 * Creates the search for addresses of clients. `X-Forwarded-For` and `Forwarded` count only if the connection comes from one of these proxies: the client is then the last address that
 * is not a proxy itself. If both headers name different clients, neither is believed, because a proxy may pass on the one that it does not know. Throws a `ServeError` for what is
 * not an address or a network.
 */
export function createAddressSearch(proxies: readonly string[] = []): FindClientAddress {
  const trusted = readNetworks(proxies)
  return ({ socket: { remoteAddress }, headers }) => {
    const own = remoteAddress === undefined ? undefined : readAddress(remoteAddress)
    if (own === undefined || !isTrusted(trusted, own)) return own
    const { forwarded, 'x-forwarded-for': forwardedFor } = headers
    const named = [
      ...(forwardedFor === undefined
        ? []
        : [[forwardedFor].flat().join(',').split(',').map(readAddress)]),
      ...(forwarded === undefined ? [] : [readForwarded(forwarded)]),
    ].map((hops) => followHops(own, hops, trusted))
    const [first = own, ...others] = named
    return others.every((other) => other === first) ? first : own
  }
}

/** Goes back from the connection to the first address that is not a proxy. */
function followHops(
  own: string,
  hops: readonly (string | undefined)[],
  trusted: BlockList,
): string {
  let address = own
  for (const hop of hops.slice(-MAX_HOPS).toReversed()) {
    if (hop === undefined || !isTrusted(trusted, address)) return address
    address = hop
  }
  return address
}

/** Reads the `for` of each element (RFC 7239). One that hides its address ends the way back. */
function readForwarded(header: string): readonly (string | undefined)[] {
  return header.split(',').map((element) => {
    const [, quoted, plain] =
      /(?:^|;)\s*for\s*=\s*(?:"([^"]*)"|([^\s;"]+))\s*(?:;|$)/i.exec(element) ?? []
    const text = quoted ?? plain
    return text === undefined ? undefined : readAddress(text)
  })
}

/** Reads an IP address, perhaps with a port, as it is compared and written: an IPv4 address that IPv6 contains is that IPv4 address. */
function readAddress(text: string): string | undefined {
  const trimmed = text.trim()
  const [, bracketed] = /^\[([^\]]+)\](?::\d+)?$/.exec(trimmed) ?? []
  const [, withPort] = /^([\d.]+):\d+$/.exec(trimmed) ?? []
  const address = (bracketed ?? withPort ?? trimmed).replace(/%.*$/, '').toLowerCase()
  const [, contained] = /^::ffff:([\d.]+)$/.exec(address) ?? []
  const read = contained ?? address
  return isIP(read) === 0 ? undefined : read
}

function isTrusted(trusted: BlockList, address: string): boolean {
  return trusted.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')
}

function readNetworks(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(network.trim()) ?? []
    const version = isIP(address)
    const most = version === 4 ? 32 : 128
    const prefix = bits === undefined ? most : Number(bits)
    if (version === 0 || prefix > most)
      throw new ServeError(
        'wrong-proxy',
        `the trusted proxy ${JSON.stringify(network)} is no address and no network; expected for example "10.0.0.5" or "10.0.0.0/8"`,
      )
    list.addSubnet(address, prefix, version === 4 ? 'ipv4' : 'ipv6')
  }
  return list
}
