import { expect, onTestFinished, test } from 'vitest'
import { startIssuer } from '../../packages/mcp-bridge/src/testing/issuer.support.ts'
import { startToolblocks, toolblocks } from '../stage/command.ts'
import { makeFolder, tool } from '../stage/folder.ts'

const PUBLIC = 'https://tools.example.com'

const RESOURCE = `${PUBLIC}/mcp`

test('promise several clients: people who log in at an issuer use a service, each with the rights of their groups', async () => {
  const { address: issuer, issue, close } = await startIssuer()
  onTestFinished(close)
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
    resource: RESOURCE,
    authorization_servers: [issuer],
  })

  const scope = 'mcp:use'
  const ann = await issue({ aud: RESOURCE, sub: 'ann', scope })
  const guest = await issue({ aud: RESOURCE, sub: 'gus', scope, roles: ['guests'] })
  expect(await ask(ann, 'tools/list', {})).toContain('shout')
  expect(await ask(guest, 'tools/list', {})).not.toContain('shout')
  const shout = { name: 'shout', arguments: {} }
  expect(await ask(ann, 'tools/call', shout)).toContain('LOUD')
  expect(await ask(guest, 'tools/call', shout)).toContain('Unknown tool')
  expect(await ask(environment.ROBOT, 'tools/call', shout)).toContain('LOUD')
  for (const [claims, status] of [
    [{ aud: RESOURCE, sub: 'ann' }, 403],
    [{ aud: PUBLIC, sub: 'ann', scope }, 401],
    [{ aud: RESOURCE, sub: 'ann', scope, exp: 1 }, 401],
  ] as const)
    expect((await post(await issue(claims), initialize)).status).toBe(status)

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
    const issuer = await startIssuer()
    onTestFinished(issuer.close)
    const claims = { active: true, iss: issuer.address, aud: RESOURCE, sub: 'ann' }
    issuer.introspection.answer = (token) => (token === 'opaque' ? claims : { active: false })
    // With an address, the metadata is not read.
    if (written === 'address') issuer.metadata = {}
    const folder = makeFolder({
      'toolblocks.toml': `[serve.oauth]
issuer = ${JSON.stringify(issuer.address)}
introspection = ${written === 'true' ? 'true' : JSON.stringify(`${issuer.address}/introspect`)}
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
    expect(issuer.introspected[0]?.authorization).toBe(
      `Basic ${Buffer.from('toolblocks:secret').toString('base64')}`,
    )
    issuer.close()
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
