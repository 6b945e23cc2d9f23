import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import {
  begin,
  callOf,
  createSharedDocuments,
  INITIALIZE,
  key,
  named,
  readUntil,
  send,
  serveTwice,
  startBalancer,
  token,
} from '../testing/replicas.support.ts'
import { serve, text, tool } from '../testing/served.support.ts'
import { writePass } from './pass-to-replica.ts'

test('a request of a session is answered by the replica that holds the session', async () => {
  const { first, second } = await serveTwice(named)
  const session = await begin(first)
  const answer = await send(second, callOf(1), session)
  expect(answer.headers.get('content-type')).toBe('text/event-stream')
  expect(answer.headers.get('mcp-session-id')).toBe(session['mcp-session-id'])
  expect(await answer.text()).toContain('from first')
})

test('each of two sessions is answered by its own replica, at the same time', async () => {
  const { first, second } = await serveTwice(named)
  const [ofFirst, ofSecond] = [await begin(first), await begin(second)]
  const answers = await Promise.all([
    send(second, callOf(1), ofFirst),
    send(first, callOf(1), ofSecond),
    send(first, callOf(2), ofFirst),
    send(second, callOf(2), ofSecond),
  ])
  const texts = await Promise.all(answers.map(async (answer) => await answer.text()))
  const names = ['from first', 'from second', 'from first', 'from second']
  for (const [index, name] of names.entries()) expect(texts[index]).toContain(name)
})

test('a session continues at another replica when its own has ended', async () => {
  const { first, second } = await serveTwice(named)
  const session = await begin(first)
  await first.close({ graceMs: 0 })
  const answers = await Promise.all(
    [1, 2, 3].map(async (id) => await send(second, callOf(id), session)),
  )
  for (const answer of answers) expect(await answer.text()).toContain('from second')
})

test('a session continues at another replica when its own was lost, after the time in which it counts as alive', async () => {
  const { first, second, isolate } = await serveTwice(named)
  const session = await begin(first)
  isolate()
  expect(await (await send(second, callOf(1), session)).text()).toContain('from second')
})

test('a replica that was taken for dead passes requests of its old sessions on', async () => {
  const paused = { isStopped: false }
  const shared = createSharedDocuments()
  const own = shared.open()
  const options = { token, stateKey: key }
  const first = await serve(
    named('first'),
    {},
    {
      ...options,
      replicas: {
        documents: {
          ...own,
          write: async (write) => {
            while (paused.isStopped && write.collection === 'mcp-replica') await pause(20)
            return await own.write(write)
          },
        },
        key,
        deadAfterMs: 600,
      },
    },
  )
  const second = await serve(
    named('second'),
    {},
    {
      ...options,
      replicas: { documents: shared.open(), key, deadAfterMs: 600 },
    },
  )
  const session = await begin(first)
  paused.isStopped = true
  for (;;) {
    const { documents } = await own.list('mcp-replica', { limit: 9 })
    if (documents.length === 1) break
    await pause(20)
  }
  expect(await (await send(second, callOf(1), session)).text()).toContain('from second')
  paused.isStopped = false
  expect(await (await send(first, callOf(2), session)).text()).toContain('from second')
})

test('a request that runs when its replica is lost is answered with "may have been executed"', async () => {
  const { promise: started, resolve: start } = Promise.withResolvers<void>()
  const { first, second, isolate } = await serveTwice((name) => async (_call, { signal }) => {
    if (name === 'second') return text('from second')
    start()
    await once(signal, 'abort')
    return text('too late')
  })
  const session = await begin(first)
  const answer = await send(second, callOf(7), session)
  await started
  isolate()
  const events = await answer.text()
  expect(events).toContain('"id":7')
  expect(events).toContain('It may have been executed')
})

test('subscriptions and the log level are set again where a session continues', async () => {
  const asked: string[] = []
  const { first, second } = await serveTwice(named, (name) => ({
    features: {
      capabilities: () => ({ resources: { subscribe: true }, logging: {} }),
      answer: async ({ method, params }) => {
        asked.push(`${name} ${method} ${JSON.stringify(params)}`)
        return {}
      },
      watch: () => () => undefined,
    },
  }))
  const session = await begin(first)
  const request = (id: number, method: string, params: object): object => ({
    jsonrpc: '2.0',
    id,
    method,
    params,
  })
  const requests = [
    request(1, 'resources/subscribe', { uri: 'file:///a' }),
    request(2, 'resources/subscribe', { uri: 'file:///b' }),
    request(3, 'resources/unsubscribe', { uri: 'file:///a' }),
    request(4, 'logging/setLevel', { level: 'debug' }),
  ]
  for (const each of requests) await (await send(first, each, session)).text()
  await first.close({ graceMs: 0 })
  await (await send(second, callOf(5), session)).text()
  expect(asked.filter((each) => each.startsWith('second'))).toEqual([
    'second logging/setLevel {"level":"debug"}',
    'second resources/subscribe {"uri":"file:///b"}',
  ])
})

test('a session of another client is unknown at every replica', async () => {
  const { first, second } = await serveTwice(named)
  const session = await begin(first)
  const forged = { authorization: 'Bearer other' }
  expect((await send(second, callOf(1), { ...session, ...forged })).status).toBe(401)
  const unknown = { 'mcp-session-id': 'b2c0a6c6-0000-4000-8000-000000000000' }
  expect((await send(second, callOf(1), unknown)).status).toBe(404)
})

test.for([
  ['of another key', writePass(randomBytes(32), 'x', { identity: 'me' })],
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

test('a client whose connection is cut gets the answer of its call from any replica', async () => {
  const { promise: started, resolve: start } = Promise.withResolvers<void>()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let aborted = 0
  const { first, second } = await serveTwice(() => async (_call, { signal, onProgress }) => {
    signal.addEventListener('abort', () => (aborted += 1))
    onProgress?.({ message: 'half' })
    start()
    await released
    return text('whole')
  })
  const balancer = await startBalancer(first.url)
  const session = await begin(first)
  const call = callOf(1)
  const params = { ...call.params, _meta: { progressToken: 1 } }
  const cut = await send({ url: balancer.url, token }, { ...call, params }, session)
  const read = await readUntil(cut, 'half')
  await started
  balancer.cut()
  const [, last = ''] = /id: (\S+)\n[^\n]*half/.exec(read) ?? []
  expect(last).not.toBe('')
  const continued = await send(second, undefined, { ...session, 'last-event-id': last })
  release()
  const rest = await continued.text()
  expect(rest).toContain('whole')
  expect(rest).not.toContain('half')
  expect(aborted).toBe(0)
  // The answer can be read once more: its client may have lost it, too.
  expect(await (await send(first, undefined, { ...session, 'last-event-id': last })).text()).toBe(
    rest,
  )
})

test('an answer that was written before its replica ended is read from another one', async () => {
  const { first, second } = await serveTwice(named)
  const session = await begin(first)
  const events = await (await send(first, callOf(1), session)).text()
  const [, primed = ''] = /^id: (\S+)\ndata: \n/m.exec(events) ?? []
  expect(primed).not.toBe('')
  await first.close({ graceMs: 0 })
  const again = await send(second, undefined, { ...session, 'last-event-id': primed })
  expect(await again.text()).toContain('from first')
})

test('a stream of another session cannot be continued', async () => {
  const { first, second } = await serveTwice(named)
  const [mine, other] = [await begin(first), await begin(first)]
  const events = await (await send(first, callOf(1), mine)).text()
  const [, primed = ''] = /^id: (\S+)\ndata: \n/m.exec(events) ?? []
  const stolen = await send(second, undefined, { ...other, 'last-event-id': primed })
  const read = await stolen.text()
  expect(read).not.toContain('from first')
  expect(read).toContain('It may have been executed')
})

test('while a replica ends, running calls are answered, and everything else is passed to another', async () => {
  const { promise: started, resolve: start } = Promise.withResolvers<void>()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { first, second } = await serveTwice(
    (name) => async (call) => {
      if (call.name !== 'slow') return text(`from ${name}`)
      start()
      await released
      return text(`slow from ${name}`)
    },
    () => ({ definitions: () => [tool(), tool({ name: 'slow' })] }),
  )
  const [busy, idle] = [await begin(first), await begin(first)]
  const slow = await send(first, callOf(1, 'slow'), busy)
  await started
  const closed = first.close({ graceMs: 10_000 })
  const ready = new URL('/readyz', first.url)
  while ((await fetch(ready)).status !== 503) await pause(10)
  expect(await (await send(first, callOf(2), idle)).text()).toContain('from second')
  const fresh = await begin(first)
  expect(await (await send(first, callOf(3), fresh)).text()).toContain('from second')
  // Its call runs here, so it stays.
  expect(await (await send(first, callOf(4), busy)).text()).toContain('from first')
  release()
  expect(await slow.text()).toContain('slow from first')
  await closed
  expect(await (await send(second, callOf(5), busy)).text()).toContain('from second')
})

test('health is told without a token: alive, and ready unless something is missing', async () => {
  let missing: string | undefined
  const served = await serve(named('only'), {}, { findMissing: async () => missing })
  const read = async (path: string): Promise<readonly [number, string]> => {
    const answer = await fetch(new URL(path, served.url))
    return [answer.status, await answer.text()]
  }
  expect(await read('/healthz')).toEqual([200, 'alive\n'])
  expect(await read('/readyz')).toEqual([200, 'ready\n'])
  missing = 'the store'
  expect(await read('/readyz')).toEqual([503, 'the store\n'])
  expect(await read('/healthz')).toEqual([200, 'alive\n'])
})
