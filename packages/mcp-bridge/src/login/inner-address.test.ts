import { expect, test } from 'vitest'
import { isInnerAddress, isLoopbackAddress, isLoopbackHost } from './inner-address.ts'

test.for([
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.8.9.10',
  '169.254.169.254',
  '172.31.255.255',
  '192.168.1.1',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  'fe80::1',
  'fd00:ec2::254',
  '::ffff:10.0.0.1',
  '::ffff:169.254.169.254',
  '::ffff:127.0.0.1',
  '::10.0.0.1',
  '64:ff9b::a9fe:a9fe',
  '2002:a00:1::',
])('%s is not an address of the public Internet', (address) => {
  expect(isInnerAddress(address)).toBe(true)
})

test.for(['1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '::ffff:8.8.8.8'])(
  '%s is an address of the public Internet',
  (address) => {
    expect(isInnerAddress(address)).toBe(false)
  },
)

test('loopback is this machine, in each way to write it', () => {
  expect(['127.0.0.1', '::1', '::ffff:127.0.0.1'].map(isLoopbackAddress)).toEqual([
    true,
    true,
    true,
  ])
  const hosts = ['localhost', 'a.localhost', 'localhost.', '[::1]', '127.1.1.1']
  expect(hosts.filter((host) => !isLoopbackHost(host))).toEqual([])
  const others = ['example.com', 'localhost.example.com', '10.0.0.1', '[fe80::1]', 'notlocalhost']
  expect(others.filter(isLoopbackHost)).toEqual([])
})
