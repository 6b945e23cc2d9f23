import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { RpcMessage } from './message.ts'
import { type Hearing, openPeer, type Peer, type Reply, type Wire } from './peer.ts'

const { signal } = new AbortController()

/** Longer than the time for a valid answer after a line that seems to be one. */
const LATER_MS = 10_000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

interface Stage {
  peer: Peer
  end: Hearing
  ask: (signal?: AbortSignal) => { reply: () => Reply | undefined }
  answer: (id: string | number) => void
}

/** Opens a peer whose other side answers nothing by itself. `ask` sends a request and shows its reply when there is one. */
function open(unfinished = ''): Stage {
  const ends: Hearing[] = []
  const wire: Wire = {
    start: (hearing) => void ends.push(hearing),
    send: async () => undefined,
    unfinishedLine: () => unfinished,
    close: async () => undefined,
  }
  const peer = openPeer(wire, { onRequest: async () => ({}), onNotification: () => undefined })
  const end = ends[0] as Hearing
  return {
    peer,
    end,
    ask: (askSignal = signal) => {
      let got: Reply | undefined
      void peer.request('x', {}, { signal: askSignal }).then((reply) => (got = reply))
      return { reply: () => got }
    },
    answer: (id) => end.onMessage({ kind: 'response', id, result: 'right' }),
  }
}

const UNKNOWN: RpcMessage = { kind: 'response', id: 99, result: {} }

test('a response with an unknown id ends the only request that waits, and is quoted', async () => {
  const { ask, end } = open()
  const { reply } = ask()
  end.onMessage(UNKNOWN)
  await vi.advanceTimersByTimeAsync(LATER_MS)
  expect(reply()).toEqual({
    kind: 'loss',
    loss: {
      kind: 'not-understood',
      reason: 'the server answered with the id 99, which no request has',
      fix: expect.stringMatching(/one line of JSON.*repeats the id/),
      serverText: '{"jsonrpc":"2.0","id":99,"result":{}}',
      maybeExecuted: true,
      transient: false,
    },
  })
})

test.for([
  ['a response with an unknown id', '{"id":"nobody","result":{}}'],
  ['a line that is an answer but not JSON', `{'jsonrpc': '2.0', 'id': 1, 'result': {}}`],
])('a valid answer after %s counts', async ([, line]) => {
  const { ask, end, answer } = open()
  const { reply } = ask()
  end.onStray(line as string)
  end.onMessage(UNKNOWN)
  answer(1)
  await vi.advanceTimersByTimeAsync(LATER_MS)
  expect(reply()).toEqual({ kind: 'result', result: 'right' })
})

test('while several requests wait, as many responses with unknown ids end them', async () => {
  const { ask, end } = open()
  const [one, other] = [ask(), ask()]
  end.onMessage(UNKNOWN)
  await vi.advanceTimersByTimeAsync(LATER_MS)
  expect([one.reply(), other.reply()]).toEqual([undefined, undefined])
  end.onMessage({ ...UNKNOWN, id: 98 })
  await vi.advanceTimersByTimeAsync(LATER_MS)
  expect([one.reply(), other.reply()]).toMatchObject([{ kind: 'loss' }, { kind: 'loss' }])
})

test('a response with an unknown id ends the request that is left after the others have their answers', async () => {
  const { ask, end, answer } = open()
  const [, other] = [ask(), ask()]
  end.onMessage(UNKNOWN)
  answer(1)
  await vi.advanceTimersByTimeAsync(LATER_MS)
  expect(other.reply()).toMatchObject({ kind: 'loss' })
})

test('a late or second answer, and a response before a request, end nothing', async () => {
  const { ask, end, answer } = open()
  const ending = new AbortController()
  end.onMessage(UNKNOWN)
  ask(ending.signal)
  ending.abort()
  ask()
  const { reply } = ask()
  answer(2)
  for (const id of [1, '1', 2]) answer(id)
  await vi.advanceTimersByTimeAsync(LATER_MS)
  expect(reply()).toBe(undefined)
  answer(3)
  await vi.advanceTimersByTimeAsync(0)
  expect(reply()).toMatchObject({ kind: 'result' })
})

test('an answer without an id after a notification belongs to it, and a further one to the request', async () => {
  const { ask, end, peer } = open()
  const missing = '{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"no such method"}}'
  await peer.notify('notifications/initialized', {})
  const { reply } = ask()
  end.onStray(missing)
  await vi.advanceTimersByTimeAsync(LATER_MS)
  expect(reply()).toBe(undefined)
  end.onStray(missing)
  await vi.advanceTimersByTimeAsync(LATER_MS)
  expect(reply()).toMatchObject({
    kind: 'loss',
    loss: { reason: 'the server answered with the id null, which no request has' },
  })
})

test('after an answer to a later request, a notification waits for nothing', async () => {
  const { ask, end, peer, answer } = open()
  await peer.notify('notifications/initialized', {})
  ask()
  answer(1)
  const { reply } = ask()
  end.onMessage({ kind: 'error', id: 0, error: { code: 1, message: 'no' } })
  await vi.advanceTimersByTimeAsync(LATER_MS)
  expect(reply()).toMatchObject({ kind: 'loss' })
})

test.for<[string, readonly string[], string]>([
  [
    "Python's form of JSON",
    [`{'jsonrpc': '2.0', 'id': 1, 'result': {'tools': []}}`],
    'the server answered with a line that is not valid JSON',
  ],
  [
    'a line that was cut',
    ['{"jsonrpc":"2.0","id":1,"result":{"tools":[{"na'],
    'the server answered with a line that is not valid JSON',
  ],
  [
    'neither result nor error',
    ['{"jsonrpc":"2.0","id":1}'],
    'the server answered without "result" or "error"',
  ],
  [
    'several lines',
    JSON.stringify({ jsonrpc: '2.0', id: 1, result: { a: {} } }, undefined, 2).split('\n'),
    'the server wrote its answer in several lines',
  ],
])('an answer with %s ends its request, and no other', async ([, lines, reason]) => {
  const { ask, end } = open()
  const [one, other] = [ask(), ask()]
  for (const line of lines) end.onStray(line)
  await vi.advanceTimersByTimeAsync(LATER_MS)
  expect(one.reply()).toMatchObject({
    kind: 'loss',
    loss: { reason, serverText: expect.stringContaining('jsonrpc') },
  })
  expect(other.reply()).toBe(undefined)
})

test('a message without the end of its line ends its request', async () => {
  const { ask, end } = open()
  const { reply } = ask()
  end.onStray('{"jsonrpc":"2.0","id":1,"result":{}}', { isUnfinished: true })
  await vi.advanceTimersByTimeAsync(LATER_MS)
  expect(reply()).toMatchObject({
    loss: { reason: 'the server did not end the line of its answer' },
  })
})

test.for([
  'Listening on port 8080',
  '{"level":"info","msg":"started","id":1}',
  'DEBUG {"jsonrpc":"2.0","id":1,"result":{}}',
  `{'jsonrpc': '2.0', 'id': 1, 'method': 'x', 'result': 1}`,
  '[1,2]',
  '{',
])('the line %j ends nothing, and is quoted when the request is given up', async (line) => {
  const { ask, end } = open('half a li')
  const ending = new AbortController()
  end.onStray('before')
  const { reply } = ask(ending.signal)
  end.onStray(line)
  await vi.advanceTimersByTimeAsync(LATER_MS)
  expect(reply()).toBe(undefined)
  ending.abort()
  await vi.advanceTimersByTimeAsync(0)
  expect(reply()).toEqual({
    kind: 'aborted',
    stray: { count: 2, text: `${line}\nhalf a li` },
  })
})

test('the end of the connection quotes the lines of the request, and the last five of many', async () => {
  const { ask, end } = open()
  const { reply } = ask()
  for (let line = 1; line <= 7; line += 1) end.onStray(`line ${line} ${'x'.repeat(1000)}`)
  end.onEnd({
    kind: 'lost',
    reason: 'the program ended with code 3',
    serverText: 'oh',
    maybeExecuted: true,
    transient: true,
  })
  await vi.advanceTimersByTimeAsync(0)
  expect(reply()).toEqual({
    kind: 'loss',
    loss: {
      kind: 'lost',
      maybeExecuted: true,
      transient: true,
      reason:
        'the program ended with code 3; 7 lines on its standard output are no messages of MCP',
      serverText: expect.stringMatching(
        /^line 3 x+…\nline 4 .*\nline 5 .*\nline 6 .*\nline 7 x+…\noh$/,
      ),
    },
  })
})
