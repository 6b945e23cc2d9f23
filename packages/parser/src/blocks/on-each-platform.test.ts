import { describe, expect, test } from 'vitest'
import * as anywhereProxy from './may-be-proxy.ts'
import * as nodeProxy from './may-be-proxy-node.ts'

describe.each([
  ['on any platform', anywhereProxy.mayBeProxy],
  ['in Node', nodeProxy.mayBeProxy],
] as const)('a proxy is detected %s', (_place, mayBeProxy) => {
  test('every proxy is reported as a possible proxy', () => {
    expect(mayBeProxy(new Proxy({}, {}))).toBe(true)
    expect(mayBeProxy(new Proxy([], {}))).toBe(true)
  })
})

test('Node.js distinguishes other objects from proxies', () => {
  expect(nodeProxy.mayBeProxy({})).toBe(false)
})
