import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { makeSelfSigned } from '../testing/self-signed.support.ts'
import { createGuardedFetch } from './guarded-fetch.ts'

async function listen(answer: RequestListener, server = createServer(answer)): Promise<URL> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  })
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
}

const remote = { server: new URL('https://mcp.example/mcp'), allowHosts: [] }

test.for([
  'http://mcp.example/',
  'http://10.0.0.1/',
  'file:///etc/passwd',
  'ftp://mcp.example/',
  'javascript:alert(1)',
  'data:application/json,{}',
])('%s is not requested and not opened: only https, and http on this machine', async (address) => {
  const guarded = createGuardedFetch(remote)
  const refused = { reason: expect.stringContaining('is neither https nor http on this machine') }
  await expect(guarded.fetch(address)).rejects.toMatchObject(refused)
  await expect(guarded.check(new URL(address))).rejects.toMatchObject(refused)
})

test.for([
  'https://10.0.0.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://192.168.1.1/',
  'https://[fd00:ec2::254]/',
  'https://[::ffff:10.0.0.1]/',
  'https://[::ffff:0:10.0.0.1]/',
  'https://0x0a000001/',
  'https://2130706433/',
  'https://127.0.0.1/',
  'http://[::1]:9/',
  'http://localhost:9/',
  'https://localhost:9/',
])(
  'CVE-2026-51994, CVE-2026-8768: %s, an address inside the network, is not requested and not opened',
  async (address) => {
    const guarded = createGuardedFetch(remote)
    const refused = { reason: expect.stringContaining('is an address inside a network') }
    await expect(guarded.fetch(address)).rejects.toMatchObject(refused)
    await expect(guarded.check(new URL(address))).rejects.toMatchObject(refused)
  },
)

test('a name is checked by the address that it leads to, and that address is connected', async () => {
  const url = await listen((_request, response) => response.end('inside'))
  url.hostname = 'localhost'
  const guarded = createGuardedFetch(remote)
  await expect(guarded.fetch(url)).rejects.toMatchObject({
    reason: expect.stringContaining('is an address inside a network'),
    fix: expect.stringContaining(`allow_hosts = ["${url.host}"]`),
  })
})

test('a host inside the network is requested if the user allows it, with its port or without', async () => {
  const url = await listen((_request, response) => response.end('inside'))
  for (const allowed of [url.host, url.hostname]) {
    const guarded = createGuardedFetch({ ...remote, allowHosts: [allowed] })
    expect(await (await guarded.fetch(url)).text()).toBe('inside')
  }
  const other = createGuardedFetch({ ...remote, allowHosts: ['127.0.0.1:1'] })
  await expect(other.fetch(url)).rejects.toMatchObject({ name: 'AuthorizationError' })
})

test('this machine is requested if the server itself is on this machine, other inner addresses are not', async () => {
  const url = await listen((_request, response) => response.end('here'))
  const guarded = createGuardedFetch({ server: new URL('http://localhost:1/mcp'), allowHosts: [] })
  expect(await (await guarded.fetch(url)).text()).toBe('here')
  await expect(guarded.fetch('https://10.0.0.1/')).rejects.toMatchObject({
    name: 'AuthorizationError',
  })
})

test('the own origin of a server inside the network is requested', async () => {
  const guarded = createGuardedFetch({
    server: new URL('https://10.255.255.1/mcp'),
    allowHosts: [],
  })
  await expect(guarded.check(new URL('https://10.255.255.1/authorize'))).resolves.toBeUndefined()
  await expect(guarded.check(new URL('https://10.255.255.1:8443/'))).rejects.toThrow(
    'inside a network',
  )
})

test('an address with a user name is refused', async () => {
  const guarded = createGuardedFetch(remote)
  await expect(guarded.fetch('https://user:secret@mcp.example/')).rejects.toMatchObject({
    message: expect.not.stringContaining('secret'),
  })
})

test('a redirect is not followed', async () => {
  const url = await listen((_request, response) =>
    response.writeHead(302, { location: 'https://169.254.169.254/' }).end(),
  )
  const guarded = createGuardedFetch({ server: url, allowHosts: [] })
  expect((await guarded.fetch(url)).status).toBe(302)
})

test('a response above 256 KiB is not read to its end', async () => {
  let isClosed = false
  const url = await listen((_request, response) => {
    response.on('close', () => (isClosed = true))
    const more = (): void => {
      while (!response.destroyed && response.write('x'.repeat(64 * 1024)));
    }
    response.on('drain', more)
    more()
  })
  const guarded = createGuardedFetch({ server: url, allowHosts: [] })
  await expect(guarded.fetch(url)).rejects.toMatchObject({
    reason: expect.stringContaining('answered with more than 262,144 bytes'),
  })
  await expect.poll(() => isClosed).toBe(true)
})

test('a response that does not end in time is given up', async () => {
  const url = await listen((_request, response) => response.write('{'))
  const limits = { maxMs: 100, maxBytes: 1000 }
  const guarded = createGuardedFetch({ server: url, allowHosts: [] }, limits)
  await expect(guarded.fetch(url)).rejects.toMatchObject({
    reason: expect.stringContaining('did not answer completely in 0.1 s'),
    transient: true,
  })
})

test('a host that does not answer rejects with a TypeError, as fetch does', async () => {
  const guarded = createGuardedFetch({ server: new URL('http://127.0.0.1:1/'), allowHosts: [] })
  await expect(guarded.fetch('http://127.0.0.1:1/')).rejects.toMatchObject({
    name: 'TypeError',
    cause: { code: 'ECONNREFUSED' },
  })
})

test('method, headers and body are sent', async () => {
  const url = await listen(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method, headers } = request
    response.writeHead(201, { 'x-answer': 'yes' })
    response.end(
      [method, headers['x-given'], headers['content-length'], Buffer.concat(chunks)].join(' '),
    )
  })
  const guarded = createGuardedFetch({ server: url, allowHosts: [] })
  const body = new URLSearchParams({ a: 'ü' })
  const response = await guarded.fetch(url, { method: 'POST', headers: { 'x-given': 'g' }, body })
  expect([response.status, response.headers.get('x-answer')]).toEqual([201, 'yes'])
  expect(await response.text()).toBe('POST g 8 a=%C3%BC')
})

test('a server whose certificate nobody trusts gets no request', async () => {
  let isReached = false
  const answer: RequestListener = (_request, response) => {
    isReached = true
    response.end('{}')
  }
  const url = await listen(answer, createSecureServer(makeSelfSigned('127.0.0.1'), answer))
  url.protocol = 'https:'
  const guarded = createGuardedFetch({ server: url, allowHosts: [] })
  await expect(guarded.fetch(url, { method: 'POST', body: 'code=1' })).rejects.toMatchObject({
    name: 'TypeError',
    cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
  })
  expect(isReached).toBe(false)
})
