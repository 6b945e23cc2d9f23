import { randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, request as sendRequest } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import {
  begin,
  callOf,
  INITIALIZE,
  key,
  listen,
  named,
  send,
  serveTwice,
  token,
} from '../testing/replicas.support.ts'
import { createSharedDocuments } from '../testing/shared-documents.support.ts'
import type { RunningHttpService } from '../serve-http.ts'
import { serve, text } from '../testing/served.support.ts'
import { writePass } from './pass-to-replica.ts'

test.for([
  [
    'of another key',
    writePass(
      randomBytes(32),
      { to: 'x', identity: 'me', nonce: 'n' },
      { method: 'POST', session: undefined, body: INITIALIZE },
    ),
  ],
  ['without a signature', Buffer.from('{"identity":"me"}').toString('base64url')],
  ['empty', ''],
])(
  'a header of a passed request that is %s is refused, also with the token',
  async ([, passed = '']) => {
    const { first } = await serveTwice(named)
    const answer = await send(first, INITIALIZE, { 'toolblocks-passed': passed })
    expect(answer.status).toBe(403)
  },
)

test('a request that was passed is valid once, and with nothing changed', async () => {
  const shared = createSharedDocuments()
  const seen: IncomingHttpHeaders[] = []
  // What listens at the address of a replica sees the header.
  const gate = createServer((request, response) => {
    seen.push(request.headers)
    response.destroy()
  })
  const address = await listen(gate)
  const replicas = { key, deadAfterMs: 600_000 }
  const first = await serve(
    named('first'),
    {},
    { token, stateKey: key, replicas: { ...replicas, documents: shared.open(), address } },
  )
  const second = await serve(
    named('second'),
    {},
    { token, stateKey: key, replicas: { ...replicas, documents: shared.open() } },
  )
  const session = await begin(first)
  await (await send(second, callOf(1), { ...session, cookie: 'secret', 'x-api-key': 'k' })).text()
  const [headers = {}] = seen
  expect(headers).not.toHaveProperty('cookie')
  expect(headers).not.toHaveProperty('x-api-key')
  expect(headers).not.toHaveProperty('authorization')
  const passed = { ...session, 'toolblocks-passed': String(headers['toolblocks-passed']) }
  const reuse = async (id: number): Promise<number> =>
    (await send({ url: first.url, token: 'unknown' }, callOf(id), passed)).status
  expect(await reuse(2)).toBe(403)
  expect(await reuse(1)).toBe(403)
})

test('a replica is told that another one has its address', async () => {
  const shared = createSharedDocuments()
  const problems: string[] = []
  const address = 'http://127.0.0.1:9'
  const start = async (name: string): Promise<unknown> =>
    await serve(
      named(name),
      {},
      {
        token,
        stateKey: key,
        replicas: {
          documents: shared.open(),
          key,
          address,
          deadAfterMs: 60,
          onProblem: (problem) => void problems.push(`${name}: ${problem}`),
        },
      },
    )
  await start('first')
  await start('second')
  await vi.waitFor(() =>
    expect(problems).toContainEqual(
      expect.stringContaining(`first: another process has the address ${address} too`),
    ),
  )
})

test('replicas that accept different credentials are told of each other, and those with the same are not', async () => {
  const shared = createSharedDocuments()
  const problems: string[] = []
  const start = async (name: string, access: string): Promise<unknown> =>
    await serve(
      named(name),
      {},
      {
        token,
        stateKey: key,
        replicas: {
          documents: shared.open(),
          key,
          address: `http://${name}:9`,
          deadAfterMs: 300,
          getAccess: () => access,
          onProblem: (problem) => void problems.push(`${name}: ${problem}`),
        },
      },
    )
  await start('first', 'one')
  await start('second', 'one')
  await start('third', 'other')
  await vi.waitFor(() => expect(new Set(problems).size).toBe(4), 10_000)
  expect([...new Set(problems)].toSorted().map((problem) => problem.split(' than ')[0])).toEqual(
    [
      ['first', 'third'],
      ['second', 'third'],
      ['third', 'first'],
      ['third', 'second'],
    ].map(
      ([name, other]) =>
        `${name}: the process at http://${other}:9 has other tokens of clients, or another key for logins at servers,`,
    ),
  )
  // Nobody can read the credentials in the store.
  const { documents } = await shared.open().list('mcp-replica', { limit: 9 })
  expect(JSON.stringify(documents)).not.toMatch(/"access":"(?:one|other)"/)
})

test('an answer that is not from a replica is not passed back', async () => {
  const shared = createSharedDocuments()
  const gate = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"evil":true}')
  })
  const address = await listen(gate)
  const replicas = { key, deadAfterMs: 600_000 }
  const options = { token, stateKey: key }
  const first = await serve(
    named('first'),
    {},
    { ...options, replicas: { ...replicas, documents: shared.open(), address } },
  )
  const second = await serve(
    named('second'),
    {},
    { ...options, replicas: { ...replicas, documents: shared.open() } },
  )
  const session = await begin(first)
  expect(await (await send(second, callOf(1), session)).text()).toContain('from second')
})

test('a request that was passed to a replica which is stopped is answered when it counts as dead', async () => {
  const { promise: started, resolve: start } = Promise.withResolvers<void>()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { first, second, stop } = await serveTwice(() => async () => {
    start()
    await released
    return text('late')
  })
  const session = await begin(first)
  const answer = send(second, callOf(3), session)
  await started
  stop()
  expect(await (await answer).text()).toContain('It may have been executed')
  release()
})

test('a replica that ends waits for the requests that it has passed on', async () => {
  const { promise: started, resolve: start } = Promise.withResolvers<void>()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { first, second } = await serveTwice((name) => async () => {
    start()
    await released
    return text(`from ${name}`)
  })
  const session = await begin(first)
  const answer = send(second, callOf(3), session)
  await started
  const closed = second.close({ graceMs: 10_000 })
  const ready = new URL('/readyz', second.url)
  while ((await fetch(ready)).status !== 503) await pause(10)
  release()
  expect(await (await answer).text()).toContain('from first')
  await closed
})

test('an answer in JSON that is cut in the middle is not completed with events', async () => {
  const shared = createSharedDocuments()
  const target = { origin: '' }
  // Passes the head of each answer and its first bytes.
  const gate = createServer((request, response) => {
    const { method, headers, url = '' } = request
    const passed = sendRequest(new URL(url, target.origin), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.once('data', (chunk: Buffer) => {
        response.write(chunk.subarray(0, 10), () => response.destroy())
      })
    })
    request.pipe(passed)
  })
  const address = await listen(gate)
  const start = async (own?: { address: string }): Promise<RunningHttpService> =>
    await serve(
      async (call, { ask, signal }) => {
        const about = { blocks: [], source: { kind: 'question', call }, signal } as const
        await ask?.user?.({ id: 'ok', text: 'Ok?', schema: { type: 'boolean' } }, about)
        return text('done')
      },
      {},
      { token, stateKey: key, replicas: { documents: shared.open(), key, ...own } },
    )
  const first = await start({ address })
  target.origin = new URL(first.url).origin
  const second = await start()
  const ask = async (served: RunningHttpService, more: object): Promise<string> => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
    }
    const call = callOf(1)
    const body = { ...call, params: { ...call.params, ...more, _meta: meta } }
    const headers = {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'tool',
    }
    return await (await send(served, body, headers)).text()
  }
  const [, requestState = ''] = /"requestState":"([^"]+)"/.exec(await ask(first, {})) ?? []
  expect(requestState).not.toBe('')
  const inputResponses = { ok: { action: 'accept', content: { value: true } } }
  await expect(ask(second, { requestState, inputResponses })).rejects.toThrow('terminated')
})
