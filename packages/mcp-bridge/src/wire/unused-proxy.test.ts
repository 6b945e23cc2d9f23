import { expect, test } from 'vitest'
import { nameUnusedProxy } from './unused-proxy.ts'

const REFUSED = Object.assign(new Error('getaddrinfo ENOTFOUND mcp.example'), {
  code: 'ENOTFOUND',
  syscall: 'getaddrinfo',
})
const FAR = 'https://mcp.example/mcp'
const hint = (name: string): string =>
  `getaddrinfo ENOTFOUND mcp.example; ${name} is set, which Node.js uses only with NODE_USE_ENV_PROXY=1 (from versions 22.21 and 24.5)`

test.for([
  [FAR, { HTTPS_PROXY: 'http://me:secret@proxy:1' }, hint('HTTPS_PROXY')],
  [FAR, { https_proxy: 'http://proxy:1' }, hint('https_proxy')],
  ['http://mcp.example/mcp', { HTTP_PROXY: 'x', HTTPS_PROXY: 'y' }, hint('HTTP_PROXY')],
  [FAR, { ALL_PROXY: 'socks5://proxy:1' }, hint('ALL_PROXY')],
  [FAR, { HTTP_PROXY: 'x', HTTPS_PROXY: '' }, REFUSED.message],
  [FAR, { HTTPS_PROXY: 'x', NODE_USE_ENV_PROXY: '1' }, REFUSED.message],
  ['https://127.0.0.1/mcp', { HTTPS_PROXY: 'x' }, REFUSED.message],
] as const)(
  'a connection to %s that fails with %j names the proxy that was not used, and no address of it',
  ([address, environment, message]) => {
    expect(nameUnusedProxy(REFUSED, new URL(address), environment)).toMatchObject({
      code: 'ENOTFOUND',
      syscall: 'getaddrinfo',
      message,
    })
  },
)
