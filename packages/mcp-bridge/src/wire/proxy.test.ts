import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createGuardedFetch } from '../oauth/guarded-fetch.ts'
import { fetchAnswer } from './fetch-answer.ts'
import { canUseProxies } from './proxy.ts'

const NAMES = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY', 'NO_PROXY']

beforeEach(() => {
  for (const name of NAMES) {
    vi.stubEnv(name, undefined)
    vi.stubEnv(name.toLowerCase(), undefined)
  }
})
afterEach(() => vi.unstubAllEnvs())

/** Starts a proxy that answers requests itself and refuses tunnels. Returns its address, and what it was asked. */
async function startProxy(): Promise<{ host: string; asked: string[] }> {
  const asked: string[] = []
  const server = createServer(({ method, url, headers }, response) => {
    asked.push(`${method} ${url} ${headers['proxy-authorization'] ?? ''}`.trim())
    response.end('from the proxy')
  })
  server.on('connect', ({ url, headers }, socket) => {
    asked.push(`CONNECT ${url} ${headers['proxy-authorization'] ?? ''}`.trim())
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  })
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

async function read(...given: Parameters<typeof fetchAnswer>): Promise<unknown> {
  try {
    return await (await fetchAnswer(...given)).text()
  } catch (error) {
    return (error as Error).cause
  }
}

test('a request goes through the proxy of its protocol, with the name and password of the proxy', async () => {
  const { host, asked } = await startProxy()
  vi.stubEnv('HTTP_PROXY', `http://ada:secret@${host}`)
  vi.stubEnv('https_proxy', host)
  expect(await read('http://model.example/a?b=c')).toBe('from the proxy')
  const refused = await read('https://model.example/a')
  expect(asked).toEqual([
    `GET http://model.example/a?b=c Basic ${btoa('ada:secret')}`,
    'CONNECT model.example:443',
  ])
  expect(refused).toMatchObject({
    code: 'ERR_PROXY_TUNNEL',
    message: expect.stringMatching(
      `403 Forbidden, through the proxy ${host} of HTTPS_PROXY, HTTP_PROXY or ALL_PROXY$`,
    ),
  })
})

test('hosts of NO_PROXY and addresses of this machine are reached without the proxy', async () => {
  const { host, asked } = await startProxy()
  const { host: here, asked: direct } = await startProxy()
  vi.stubEnv('ALL_PROXY', `http://${host}`)
  vi.stubEnv('NO_PROXY', 'localhost,.example')
  expect(await read(`http://${here}/a`)).toBe('from the proxy')
  expect(await read(`http://localhost:${here.split(':')[1]}/b`)).toBe('from the proxy')
  expect(await read('http://model.example/')).toMatchObject({ code: 'ENOTFOUND' })
  expect([asked, direct]).toEqual([[], ['GET /a', 'GET /b']])
})

test.for([
  [
    'http://ada:secret@127.0.0.1:1',
    /^connect ECONNREFUSED 127\.0\.0\.1:1, through the proxy 127\.0\.0\.1:1 of HTTPS_PROXY/,
  ],
  [
    'socks5://127.0.0.1:1',
    /^the variable for the proxy of http:\/\/model\.example has no address of a proxy over HTTP; expected http:\/\/HOST:PORT$/,
  ],
  ['http://[', /^the variable for the proxy of http:\/\/model\.example has no address/],
] as const)(
  'the proxy %s that cannot be used is named, without its password',
  async ([proxy, expected]) => {
    vi.stubEnv('HTTP_PROXY', proxy)
    const error = await read('http://model.example/')
    expect(error).toMatchObject({ message: expect.stringMatching(expected) })
    expect(String(error)).not.toContain('secret')
  },
)

test('an inner address that a server names for authorization is refused, also through a proxy; a name that only the proxy knows is not', async () => {
  const { host, asked } = await startProxy()
  vi.stubEnv('HTTPS_PROXY', `http://${host}`)
  const server = new URL('https://mcp.example/')
  const guarded = createGuardedFetch({ server, allowHosts: [] })
  await expect(guarded.fetch('https://10.0.0.1/token')).rejects.toThrow(
    'an address inside a network',
  )
  await expect(guarded.fetch('https://login.example/token')).rejects.toThrow('fetch failed')
  expect(asked).toEqual(['CONNECT login.example:443'])
})

test('Node.js uses the proxies of an agent from 22.21 and from 24.5', () => {
  const versions = [
    '22.18.0',
    '22.20.9',
    '22.21.0',
    '24.4.1',
    '24.5.0',
    '25.0.0',
    process.versions.node,
  ]
  expect(versions.map(canUseProxies)).toEqual([false, false, true, false, true, true, true])
})
