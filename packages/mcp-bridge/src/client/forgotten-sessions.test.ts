import { expect, test } from 'vitest'
import type { McpServer } from './mcp-server.ts'
import { type Answer, type OddEndpoint, startEndpoint } from '../testing/odd-endpoint.support.ts'
import { call, connect, firstText, getContext } from '../testing/servers.support.ts'

async function reach(
  tools: Record<string, Answer>,
): Promise<{ server: McpServer; endpoint: OddEndpoint }> {
  const endpoint = await startEndpoint(tools)
  const server = await connect({ name: 'web', transport: { kind: 'http', url: endpoint.url } })
  return { server, endpoint }
}

test('an endpoint that has forgotten the session is initialized again and gets the call once more', async () => {
  const { server, endpoint } = await reach({})
  endpoint.forget()
  expect(firstText(await call(server, 'echo', { a: 1 }))).toBe('{"a":1}')
  expect(endpoint.methods.filter((method) => method === 'initialize').length).toBe(2)
})

const refusal = (id: unknown, code: number, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })
test.for([
  [400, 'without an id', () => refusal(null, -32_000, 'Bad Request: No valid session ID provided')],
  [400, 'with its id', (id: unknown) => refusal(id, -32_000, 'Server not initialized')],
  [422, 'as text', () => 'unknown session'],
  [410, 'as text', () => 'this session is gone'],
] as const)(
  'an endpoint that refuses a forgotten session with %i, %s, is initialized again for each kind of request',
  async ([status, , body]) => {
    const { server, endpoint } = await reach({})
    const refuse = (id: unknown) => ({ status, body: body(id) })
    endpoint.forget(refuse)
    expect(firstText(await call(server, 'echo', { a: 1 }))).toBe('{"a":1}')
    endpoint.forget(refuse)
    const listed = await server.request('tools/list', {}, getContext())
    expect(listed).toMatchObject({ kind: 'result' })
    expect(endpoint.methods.filter((method) => method === 'initialize')).toHaveLength(3)
  },
)

test.for([
  [400, -32_602, 'The argument "session" is missing.'],
  [400, -32_000, 'The request is too large.'],
  [401, -32_000, 'This session has no login.'],
  [429, -32_000, 'This session has made too many requests.'],
  [500, -32_000, 'No valid session ID provided'],
  [404, -32_602, 'The invoice is not found.'],
  [400, -32_000, 'The browser session crashed.'],
  [409, -32_000, 'Paid, but the session of the accounts is invalid.'],
  [451, -32_000, 'unknown session'],
] as const)(
  'an endpoint that refuses a call with %i, %i and "%s" gets no other one',
  async ([status, code, message]) => {
    const { server, endpoint } = await reach({
      odd: ({ id, response }) => void response.writeHead(status).end(refusal(id, code, message)),
    })
    expect(await call(server, 'odd')).toMatchObject({ isError: true })
    expect(endpoint.methods.filter((method) => method === 'tools/call')).toHaveLength(1)
  },
)

test('an endpoint whose text names a session of its own gets no other call', async () => {
  const { server, endpoint } = await reach({
    odd: ({ response }) => void response.writeHead(422).end('checkout session already completed'),
  })
  expect(await call(server, 'odd')).toMatchObject({ isError: true })
  expect(endpoint.methods.filter((method) => method === 'tools/call')).toHaveLength(1)
})

test('a call that was redirected to an address without it may have been executed, and is made once', async () => {
  const { server, endpoint } = await reach({
    odd: ({ request, response }) =>
      request.url === '/gone'
        ? void response.writeHead(404).end('nothing here')
        : void response.writeHead(307, { location: '/gone' }).end(),
  })
  expect(await call(server, 'odd')).toMatchObject({
    isError: true,
    metadata: { maybeExecuted: true },
  })
  expect(endpoint.methods.filter((method) => method === 'tools/call')).toHaveLength(2)
})

test('an endpoint that always refuses the session gets a call twice, and the failure says that it was not executed', async () => {
  const { server, endpoint } = await reach({
    odd: ({ response }) => void response.writeHead(404).end('unknown session'),
  })
  expect(await call(server, 'odd')).toMatchObject({
    isError: true,
    metadata: { maybeExecuted: false },
  })
  expect(endpoint.methods.filter((method) => method === 'tools/call')).toHaveLength(2)
})

test('a server that forgets the session before it has listed its tools is initialized again, and has them', async () => {
  const endpoint = await startEndpoint({})
  // After the initialization.
  endpoint.onMethod = (method) => {
    if (method !== 'tools/list') return
    endpoint.onMethod = undefined
    endpoint.forget()
  }
  const server = await connect({ name: 'web', transport: { kind: 'http', url: endpoint.url } })
  expect(server.tools().map(({ name }) => name)).toEqual(['web__echo'])
  expect(endpoint.methods.filter((method) => method === 'initialize')).toHaveLength(2)
})

test('all calls that a forgotten session refuses at the same time are made once more', async () => {
  const { server, endpoint } = await reach({})
  endpoint.forget()
  const calls = Array.from({ length: 20 }, async (_, a) => await call(server, 'echo', { a }))
  expect((await Promise.all(calls)).map(firstText)).toEqual(
    Array.from({ length: 20 }, (_, a) => `{"a":${a}}`),
  )
  expect(endpoint.methods.filter((method) => method === 'initialize')).toHaveLength(2)
})
