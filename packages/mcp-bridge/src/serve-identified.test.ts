import { expect, test, vi } from 'vitest'
import type { Authenticate, ClientIdentity } from './identity/client-identity.ts'
import { authenticateByTokens, hashToken } from './identity/client-tokens.ts'
import type { HttpOptions } from './server/http-options.ts'
import type { ServedClient } from './server/served-features.ts'
import { callOf, INITIALIZE, key, send as sendWithToken } from './testing/replicas.support.ts'
import { type Execute, serve, text, tool } from './testing/served.support.ts'
import { createSharedDocuments } from './testing/shared-documents.support.ts'

const identity = (name: string, groups: readonly string[] = []): ClientIdentity => ({
  id: name,
  name,
  groups,
  scopes: [],
})

/** Proves `NAME`, whatever follows: `Bearer NAME.1` and `Bearer NAME.2` are two credentials of one client. After a `+` follow groups. */
const authenticate: Authenticate = async ({ authorization = '' }) => {
  const [, name, groups = ''] = /^Bearer (\w+)\.\d+(?:\+(.*))?$/.exec(authorization) ?? []
  if (name === 'fails') throw new Error('the issuer is away')
  return name === undefined
    ? { ok: false, status: 401, message: 'Who?', challenge: 'Bearer scope="x"' }
    : { ok: true, identity: identity(name, groups === '' ? [] : groups.split('+')) }
}

const send = async (
  served: { url: string },
  token: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> => await sendWithToken({ url: served.url, token }, body, headers)

async function begin(served: { url: string }, token: string): Promise<Record<string, string>> {
  const initialized = await send(served, token, INITIALIZE)
  expect(initialized.status).toBe(200)
  await initialized.text()
  const id = initialized.headers.get('mcp-session-id') ?? ''
  return { 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' }
}

/** Serves a tool that tells who calls it. */
const tell: Execute = async (_call, _context, { identified }) => text(JSON.stringify(identified))

const serveIdentified = async (
  execute: Execute = tell,
  options: Partial<HttpOptions> = {},
  service: Parameters<typeof serve>[1] = {},
) => await serve(execute, service, { authenticate, ...options })

test('a call knows who its client is, in a session and without one', async () => {
  const served = await serveIdentified()
  const session = await begin(served, 'ann.1+readers')
  const answer = await send(served, 'ann.1+readers', callOf(1), session)
  expect(await answer.text()).toContain(
    JSON.stringify(JSON.stringify(identity('ann', ['readers']))).slice(1, -1),
  )
  const { params } = callOf(1)
  const alone = await send(
    served,
    'ben.1',
    {
      ...callOf(1),
      params: {
        ...params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    },
    { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'tool' },
  )
  expect(await alone.json()).toMatchObject({
    result: { content: [{ text: JSON.stringify(identity('ben')) }] },
  })
})

test('a session continues with another credential of its client, and another client does not find it', async () => {
  const served = await serveIdentified()
  const session = await begin(served, 'ann.1')
  expect((await send(served, 'ann.2', callOf(1), session)).status).toBe(200)
  for (const body of [callOf(2), undefined])
    expect((await send(served, 'ben.1', body, session)).status).toBe(404)
  const ended = await fetch(served.url, {
    method: 'DELETE',
    headers: { ...session, authorization: 'Bearer ben.1' },
  })
  expect(ended.status).toBe(404)
  expect((await send(served, 'ann.2', callOf(3), session)).status).toBe(200)
})

test('a session ends for a client whose groups have changed', async () => {
  const served = await serveIdentified()
  const session = await begin(served, 'ann.1+a+b')
  expect((await send(served, 'ann.2+b+a', callOf(1), session)).status).toBe(200)
  expect((await send(served, 'ann.3+a', callOf(1), session)).status).toBe(404)
})

test('a request that proves nobody gets the challenge, and one that cannot be checked may be repeated', async () => {
  const execute = vi.fn<Execute>(tell)
  const served = await serveIdentified(execute)
  const refused = await send(served, 'ann', INITIALIZE)
  expect(refused.status).toBe(401)
  expect(refused.headers.get('www-authenticate')).toBe('Bearer scope="x"')
  const unchecked = await send(served, 'fails.1', INITIALIZE)
  expect(unchecked.status).toBe(503)
  expect(await unchecked.text()).not.toContain('issuer')
  expect(execute).not.toHaveBeenCalled()
})

test('host and origin are checked before credentials', async () => {
  const asked = vi.fn<Authenticate>(authenticate)
  const served = await serve(tell, {}, { authenticate: asked })
  const answer = await send(served, 'ann.1', INITIALIZE, { origin: 'https://evil.example' })
  expect(answer.status).toBe(403)
  expect(asked).not.toHaveBeenCalled()
})

test('a token and a check of credentials exclude each other', async () => {
  const both = serve(tell, {}, { authenticate, token: 'x' })
  await expect(both).rejects.toMatchObject({ code: 'token-and-authenticate' })
})

test('a header that differs from an argument says nothing of a tool that is hidden', async () => {
  const served = await serveIdentified(
    tell,
    {},
    {
      definitions: () => [
        tool({
          name: 'vault',
          inputSchema: {
            type: 'object',
            properties: { place: { type: 'string', 'x-mcp-header': 'Place' } },
          },
        }),
      ],
      isHidden: (name, { identified }) => name === 'vault' && identified?.name === 'ben',
    },
  )
  const ask = async (token: string): Promise<string> => {
    const params = {
      name: 'vault',
      arguments: { place: 'here' },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    }
    const answer = await send(
      served,
      token,
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
      {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'vault',
        'mcp-param-place': 'there',
      },
    )
    return await answer.text()
  }
  expect(await ask('ann.1')).toContain('The headers and the request differ')
  expect(await ask('ben.1')).not.toContain('differ')
})

test('a task is unknown to another client with the same name of its host', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const served = await serveIdentified(
    async () => {
      await released
      return text('secret')
    },
    {},
    { definitions: () => [{ ...tool(), execution: { taskSupport: 'required' } }] },
  )
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {
      extensions: { 'io.modelcontextprotocol/tasks': {} },
    },
    'io.modelcontextprotocol/clientInfo': { name: 'same', version: '1' },
  }
  const ask = async (token: string, method: string, params: Record<string, unknown>) => {
    const name = String(params['name'] ?? params['taskId'])
    const answer = await send(
      served,
      token,
      { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, 'mcp-name': name },
    )
    const { result, error } = Object(await answer.json())
    return { result, error }
  }
  const begun = await ask('ann.1', 'tools/call', { name: 'tool', arguments: {} })
  const { taskId } = begun.result
  expect(taskId).toEqual(expect.any(String))
  for (const method of ['tasks/get', 'tasks/cancel'])
    expect(await ask('ben.1', method, { taskId })).toMatchObject({
      error: { message: `Unknown task: ${taskId}` },
    })
  expect(await ask('ann.2', 'tasks/get', { taskId })).toMatchObject({
    result: { status: 'working' },
  })
  release()
})

test('who a client is travels with its requests and its session between replicas', async () => {
  const documents = createSharedDocuments()
  const clients: ServedClient[] = []
  const startReplica = async () =>
    await serveIdentified(
      async (call, context, client) => {
        clients.push(client)
        return await tell(call, context, client)
      },
      { stateKey: key, replicas: { documents: documents.open(), key, deadAfterMs: 600 } },
    )
  const [first, second] = [await startReplica(), await startReplica()]
  const session = await begin(first, 'ann.1+readers')
  const call = async (replica: { url: string }, token: string): Promise<number> => {
    const answer = await send(replica, token, callOf(1), session)
    await answer.text()
    return answer.status
  }
  expect(await call(second, 'ann.2+readers')).toBe(200)
  expect(await call(second, 'ben.1+readers')).toBe(404)
  expect(await call(second, 'ann.1')).toBe(404)
  await first.close({ graceMs: 0 })
  expect(await call(second, 'ben.1+readers')).toBe(404)
  expect(await call(second, 'ann.1+others')).toBe(404)
  expect(await call(second, 'ann.3+readers')).toBe(200)
  expect(clients.map(({ identified }) => identified)).toEqual([
    identity('ann', ['readers']),
    identity('ann', ['readers']),
  ])
})

test('a token that was revoked opens nothing, also no session that it has begun', async () => {
  let tokens = ['one', 'two']
  const served = await serve(
    tell,
    {},
    {
      authenticate: authenticateByTokens(() => [
        { name: 'ann', tokens: tokens.map((each) => ({ hash: hashToken(each) })) },
      ]),
    },
  )
  const session = await begin(served, 'one')
  tokens = ['two']
  expect((await send(served, 'one', callOf(1), session)).status).toBe(401)
  expect((await send(served, 'two', callOf(1), session)).status).toBe(200)
})

test('metrics are for the clients that may read them', async () => {
  const served = await serveIdentified(tell, {
    metrics: async (client) => (client?.groups.includes('readers') ? 'calls 1\n' : undefined),
  })
  const page = new URL('/metrics', served.url)
  const read = async (token: string) => {
    const response = await fetch(page, { headers: { authorization: `Bearer ${token}` } })
    return [response.status, await response.text()]
  }
  expect(await read('ann.1+readers')).toEqual([200, 'calls 1\n'])
  expect((await read('ben.1'))[0]).toBe(403)
})
