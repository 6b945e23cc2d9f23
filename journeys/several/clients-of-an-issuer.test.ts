import { generateKeyPairSync, sign } from 'node:crypto'
import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { startToolblocks, toolblocks } from '../stage/command.ts'
import { makeFolder, tool } from '../stage/folder.ts'
import { listen } from '../stage/listen.ts'

const PUBLIC = 'https://tools.example.com'

/** An issuer of access tokens, on this machine. */
async function startIssuer() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = { ...publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'ES256' }
  const server = createServer((request, response) => {
    const pages: Record<string, unknown> = {
      '/.well-known/openid-configuration': { issuer, jwks_uri: `${issuer}/keys` },
      '/keys': { keys: [key] },
    }
    const page = pages[request.url ?? '']
    response.statusCode = page === undefined ? 404 : 200
    response.end(JSON.stringify(page ?? {}))
  })
  const issuer = new URL(await listen(server)).origin
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const issue = (claims: object): string => {
    const now = Math.floor(Date.now() / 1000)
    const all = { iss: issuer, aud: `${PUBLIC}/mcp`, iat: now, exp: now + 600, ...claims }
    const text = `${encode({ alg: 'ES256', kid: 'k', typ: 'at+jwt' })}.${encode(all)}`
    const signature = sign('sha256', Buffer.from(text), {
      key: privateKey,
      dsaEncoding: 'ieee-p1363',
    })
    return `${text}.${signature.toString('base64url')}`
  }
  return { issuer, issue }
}

test('promise several clients: people who log in at an issuer use a service, each with the rights of their groups', async () => {
  const { issuer, issue } = await startIssuer()
  const configuration = `[store]
url = "sqlite:calls.db"
${tool('count', ['seq', '1', '3'])}${tool('shout', ['echo', 'LOUD'])}
[serve.oauth]
issuer = ${JSON.stringify(issuer)}
scopes = ["mcp:use"]
groups_claim = "roles"

[serve.groups.guests]
deny = ["shout"]

[serve.clients.robot]
token_env = "ROBOT"
`
  const folder = makeFolder({ 'toolblocks.toml': configuration })
  const environment = { ROBOT: 'the-token-of-the-robot' }
  const args = ['serve', '--http', '0', '--public-url', PUBLIC]
  const running = startToolblocks(folder, args, environment)
  const [, address = ''] = await running.said(/at (http:\S+)/)
  const post = async (token: string | undefined, body: object, session = ''): Promise<Response> =>
    await fetch(address, {
      method: 'POST',
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(session !== '' && { 'mcp-session-id': session }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
    })
  const initialize = {
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'editor', version: '1' },
    },
  }
  const ask = async (token: string, method: string, params: object): Promise<string> => {
    const begun = await post(token, initialize)
    await begun.text()
    const session = begun.headers.get('mcp-session-id') ?? ''
    return await (await post(token, { method, params }, session)).text()
  }

  // A client learns where to log in.
  const refused = await post(undefined, initialize)
  expect(refused.status).toBe(401)
  const challenge = refused.headers.get('www-authenticate')
  expect(challenge).toContain(
    `resource_metadata="${PUBLIC}/.well-known/oauth-protected-resource/mcp"`,
  )
  expect(challenge).toContain('scope="mcp:use"')
  const page = new URL('/.well-known/oauth-protected-resource/mcp', address)
  expect(await (await fetch(page)).json()).toMatchObject({
    resource: `${PUBLIC}/mcp`,
    authorization_servers: [issuer],
  })

  const scope = 'mcp:use'
  const ann = issue({ sub: 'ann', scope })
  const guest = issue({ sub: 'gus', scope, roles: ['guests'] })
  expect(await ask(ann, 'tools/list', {})).toContain('shout')
  expect(await ask(guest, 'tools/list', {})).not.toContain('shout')
  const shout = { name: 'shout', arguments: {} }
  expect(await ask(ann, 'tools/call', shout)).toContain('LOUD')
  expect(await ask(guest, 'tools/call', shout)).toContain('Unknown tool')
  expect(await ask(environment.ROBOT, 'tools/call', shout)).toContain('LOUD')
  expect((await post(issue({ sub: 'ann' }), initialize)).status).toBe(403)
  expect((await post(issue({ sub: 'ann', scope, aud: PUBLIC }), initialize)).status).toBe(401)
  expect((await post(issue({ sub: 'ann', scope, exp: 1 }), initialize)).status).toBe(401)

  await running.end('SIGTERM')
  expect((await toolblocks(folder, 'conversations', 'list')).stdout).toContain(
    'for ann with editor',
  )
})

test.for([
  [[], /\[serve.oauth\] needs --public-url/],
  [['--public-url', 'tools.example.com'], /--public-url tools.example.com: expected an address/],
  [['--public-url', `${PUBLIC}/x`], /expected an address without a path/],
] as const)(
  'promise several clients: a service for an issuer with %j is an error',
  async ([args, message]) => {
    const folder = makeFolder({
      'toolblocks.toml': '[serve.oauth]\nissuer = "https://i.example"\n',
    })
    const running = startToolblocks(folder, ['serve', '--http', '0', ...args])
    await running.said(message)
    expect(await running.ended()).toBe(2)
  },
)

test.for(['true', 'address'])(
  'promise several clients: the issuer says who has a token that says nothing itself, introspection = %s',
  async (written) => {
    const asked: (string | undefined)[] = []
    const server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.once('end', () => {
        if (request.url !== '/ask') {
          const about = { issuer, introspection_endpoint: `${issuer}/ask` }
          // With an address, the metadata is not read.
          return response.end(JSON.stringify(written === 'true' ? about : {}))
        }
        asked.push(request.headers.authorization)
        const token = new URLSearchParams(Buffer.concat(chunks).toString()).get('token')
        const claims = { active: true, iss: issuer, aud: `${PUBLIC}/mcp`, sub: 'ann' }
        return response.end(JSON.stringify(token === 'opaque' ? claims : { active: false }))
      })
    })
    const issuer = new URL(await listen(server)).origin
    const folder = makeFolder({
      'toolblocks.toml': `[serve.oauth]
issuer = ${JSON.stringify(issuer)}
introspection = ${written === 'true' ? 'true' : JSON.stringify(`${issuer}/ask`)}
client_id = "toolblocks"
client_secret_env = "ISSUER_SECRET"
${tool('count', ['seq', '1', '3'])}`,
    })
    await toolblocks(folder, 'trust', '--yes')
    const args = ['serve', '--http', '0', '--public-url', PUBLIC]
    const running = startToolblocks(folder, args, { ISSUER_SECRET: 'secret' })
    const [, address = ''] = await running.said(/at (http:\S+)/)
    const initialize = async (token: string): Promise<number> => {
      const params = {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'editor', version: '1' },
      }
      const answer = await fetch(address, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
      })
      await answer.text()
      return answer.status
    }
    expect(await initialize('opaque')).toBe(200)
    expect(await initialize('unknown')).toBe(401)
    expect(asked[0]).toBe(`Basic ${Buffer.from('toolblocks:secret').toString('base64')}`)
    server.close()
    server.closeAllConnections()
    // An issuer that is away takes nobody's access for ever: the request may be repeated.
    expect(await initialize('another')).toBe(503)
    await running.end('SIGTERM')
  },
)

test.for([
  ['without an ID', '', /introspection needs "client_id"/],
  ['without its secret', 'client_id = "x"\nclient_secret_env = "UNSET"\n', /UNSET.*not set/],
] as const)('promise several clients: introspection %s is an error', async ([, rest, message]) => {
  const folder = makeFolder({
    'toolblocks.toml': `[serve.oauth]\nissuer = "https://login.example.com"\nintrospection = true\n${rest}`,
  })
  await toolblocks(folder, 'trust', '--yes')
  const args = ['serve', '--http', '0', '--public-url', PUBLIC]
  const running = startToolblocks(folder, args)
  await running.said(message)
  expect(await running.ended()).toBe(2)
})
