import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { createAddressSearch } from './client-address.ts'

const PROXIES = ['10.0.0.0/8', '::1', '2001:db8:1::/48']

const find = (
  remoteAddress: string | undefined,
  headers: IncomingMessage['headers'] = {},
  proxies: readonly string[] = PROXIES,
): string | undefined =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it reads nothing else
  createAddressSearch(proxies)({ socket: { remoteAddress }, headers } as IncomingMessage)

const forwardedFor = (value: string): IncomingMessage['headers'] => ({ 'x-forwarded-for': value })

test.for<[string, string | undefined, string, IncomingMessage['headers']]>([
  ['a connection without headers', '192.0.2.1', '192.0.2.1', {}],
  ['one that is no proxy and names another', '192.0.2.1', '192.0.2.1', forwardedFor('8.8.8.8')],
  ['a proxy', '192.0.2.1', '10.1.2.3', forwardedFor('192.0.2.1')],
  [
    'a proxy over IPv6 that contains IPv4',
    '192.0.2.1',
    '::ffff:10.1.2.3',
    forwardedFor('192.0.2.1'),
  ],
  ['a proxy with a port', '192.0.2.1', '10.1.2.3', forwardedFor('192.0.2.1:4711')],
  ['two proxies', '192.0.2.1', '::1', forwardedFor('192.0.2.1, 10.0.0.7')],
  [
    'a client that names another before',
    '192.0.2.1',
    '::1',
    forwardedFor('8.8.8.8, 192.0.2.1, 10.0.0.7'),
  ],
  ['a client that names a proxy before', '192.0.2.1', '::1', forwardedFor('10.0.0.9, 192.0.2.1')],
  ['something else than an address', '10.1.2.3', '10.1.2.3', forwardedFor('192.0.2.1, unknown')],
  ['only proxies', '10.0.0.8', '10.1.2.3', forwardedFor('10.0.0.8')],
  ['an empty header', '10.1.2.3', '10.1.2.3', forwardedFor('')],
  ['Forwarded', '192.0.2.1', '10.1.2.3', { forwarded: 'for=192.0.2.1;proto=https;by=10.1.2.3' }],
  [
    'Forwarded with IPv6',
    '2001:db8:cafe::17',
    '2001:db8:1::2',
    { forwarded: 'by=x; For="[2001:db8:cafe::17]:4711"' },
  ],
  ['Forwarded with several', '192.0.2.1', '10.1.2.3', { forwarded: 'for=8.8.8.8, for=192.0.2.1' }],
  [
    'Forwarded with a hidden one',
    '10.1.2.3',
    '10.1.2.3',
    { forwarded: 'for=192.0.2.1, for=_hidden' },
  ],
  [
    'two headers that say the same',
    '192.0.2.1',
    '10.1.2.3',
    { ...forwardedFor('192.0.2.1'), forwarded: 'for=192.0.2.1' },
  ],
  [
    'two headers that differ',
    '10.1.2.3',
    '10.1.2.3',
    { ...forwardedFor('192.0.2.1'), forwarded: 'for=8.8.8.8' },
  ],
])('the client behind %s', ([, expected, remote, headers]) => {
  expect(find(remote, headers)).toBe(expected)
})

test('without proxies, no header counts', () => {
  expect(find('127.0.0.1', forwardedFor('192.0.2.1'), [])).toBe('127.0.0.1')
  expect(find(undefined, forwardedFor('192.0.2.1'))).toBeUndefined()
})

test.for(['10.0.0.0/33', 'proxy.example', '10.0.0.0/', '10.0.0.0/8/8', '', '::/129', '10.0.0/8'])(
  'the proxy %j is an error',
  (proxy) => {
    expect(() => createAddressSearch([proxy])).toThrow('is no address and no network')
  },
)
