import { expect, test } from 'vitest'
import { agreeAtOnce, type RawLogin, startRawLogin } from '../testing/raw-login.support.ts'
import { createOAuth } from './create-oauth.ts'
import type { LoginOptions } from './perform-login.ts'

const unseen: LoginOptions['openPage'] = async () => {
  throw new Error('the page was opened')
}

/** Starts a server at an address, whose metadata names a resource. */
async function startAt(address: string, resource: string): Promise<RawLogin> {
  const login = await startRawLogin()
  const { origin } = login.server
  Object.assign(login.resource, {
    resource: resource.replace('ORIGIN', origin).replace('HOST', new URL(origin).host),
  })
  return { ...login, options: { ...login.options, url: `${origin}${address}` } }
}

test.for([
  ['the host', 'ORIGIN'],
  ['the host with a slash', 'ORIGIN/'],
  ['a folder above', 'ORIGIN/m'],
  ['a longer address', 'ORIGIN/mcp/tenant'],
  ['the address with a slash', 'ORIGIN/mcp/'],
  ['the address in another case', 'ORIGIN/MCP'],
  ['the address with a query', 'ORIGIN/mcp?tenant=1'],
  ['the address with a fragment', 'ORIGIN/mcp#tenant'],
  ['the address in other characters', 'ORIGIN/%6dcp'],
  ['another host', 'https://bank.example/mcp'],
  ['another user', 'http://user@HOST/mcp'],
  ['no address', 'mcp'],
  ['nothing', ''],
])(
  'RFC 9728, 3.3: metadata whose resource is %s is refused, and nobody is asked for a token',
  async ([, resource]) => {
    const login = await startAt('/mcp', resource ?? '')
    await expect(createOAuth(login.options).logIn({ openPage: unseen })).rejects.toMatchObject({
      name: 'AuthorizationError',
    })
    const paths = login.requests.map(({ path }) => path)
    expect(paths.filter((path) => /authorization-server|register|token/.test(path))).toEqual([])
  },
)

test('RFC 9728, 3.3: metadata about a shorter address is refused with both addresses', async () => {
  const login = await startAt('/mcp', 'ORIGIN/')
  await expect(createOAuth(login.options).logIn({ openPage: unseen })).rejects.toMatchObject({
    reason: `the metadata of the server is about another resource than "${login.options.url}"`,
    serverText: `${login.server.origin}/`,
    fix: 'Check "url", and ask the operator of the server to correct "resource" in its metadata.',
  })
})

test('the address of the server is the resource in each request, without the part after #', async () => {
  const login = await startRawLogin()
  const url = `${login.options.url}#part`
  await createOAuth({ ...login.options, url }).logIn({ openPage: agreeAtOnce() })
  const { resource } = Object.fromEntries(new URLSearchParams(login.tokenRequests[0]))
  expect(resource).toBe(login.options.url)
})

test('the metadata is at the well-known address of a server and of an issuer, between host and path, and requested with GET', async () => {
  const login = await startRawLogin()
  const { origin } = login.server
  login.replace = {
    request: 'challenge',
    answer: (socket) => socket.end('HTTP/1.1 401 x\r\ncontent-length: 0\r\n\r\n'),
  }
  Object.assign(login.resource, { authorization_servers: [`${origin}/tenant/1`] })
  await createOAuth(login.options)
    .logIn({ openPage: unseen })
    .catch(() => undefined)
  const asked = login.requests.map(({ head }) => head.split('\r\n')[0])
  expect(asked.slice(1, 3)).toEqual([
    'GET /.well-known/oauth-protected-resource/mcp HTTP/1.1',
    'GET /.well-known/oauth-authorization-server/tenant/1 HTTP/1.1',
  ])
})

test('parameters of metadata that are not understood are ignored', async () => {
  const login = await startRawLogin()
  const more = { signed_metadata: 'no.jwt.here', 'resource_name#it': 7, x: { y: [1] } }
  Object.assign(login.resource, more)
  Object.assign(login.metadata, more)
  await createOAuth(login.options).logIn({ openPage: agreeAtOnce() })
})
