import { getEventListeners } from 'node:events'
import { describe, expect, test } from 'vitest'
import type { Loss, Reply } from '../wire/peer.ts'
import { type Connection, keepConnection, type KeptConnection } from './keep-connection.ts'
import { McpServerError } from './failures.ts'
import type { ServerState } from './mcp-server.ts'

const { signal } = new AbortController()

const EXPIRED = {
  kind: 'loss',
  loss: { kind: 'session-expired', reason: 'forgotten', maybeExecuted: false, transient: true },
} as const satisfies Reply
const LOST: Reply = {
  kind: 'loss',
  loss: { kind: 'lost', reason: 'gone', maybeExecuted: true, transient: true },
}
const DONE: Reply = { kind: 'result', result: {} }

type ChangedConnection = { -readonly [Member in keyof Connection]: Connection[Member] }

interface ControlledConnection {
  value: ChangedConnection
  lose: (reason: string) => Promise<void>
  retire: (reason: string) => Promise<void>
}

function connection(): ControlledConnection {
  const { promise: ended, resolve } = Promise.withResolvers<Loss>()
  const { promise: retired, resolve: resolveRetired } = Promise.withResolvers<Loss>()
  const value: ChangedConnection = {
    protocolVersion: '',
    capabilities: {},
    ended,
    retired,
    request: async () => ({ kind: 'aborted' }),
    notify: async () => undefined,
    call: async () => ({ kind: 'aborted' }),
    close: async () => undefined,
  }
  return {
    value,
    lose: async (reason) => {
      resolve({ kind: 'lost', reason, maybeExecuted: true, transient: true })
      await ended
    },
    retire: async (reason) => {
      resolveRetired({ kind: 'lost', reason, maybeExecuted: false, transient: true })
      await retired
    },
  }
}

function keep(open: (closing: AbortSignal) => Promise<Connection>) {
  const first = connection()
  const states: ServerState[] = []
  let now = 1000
  let date = 0
  const kept = keepConnection(first.value, open, {
    onStateChange: (state) => void states.push(state),
    onReopened: () => undefined,
    now: () => now,
    getDate: () => now + date,
  })
  return {
    first,
    kept,
    states,
    pass: (milliseconds: number) => void (now += milliseconds),
    setDate: (milliseconds: number) => void (date += milliseconds),
  }
}

test('a lost connection is opened again when it is needed, once for all callers that wait', async () => {
  let opened = 0
  const next = connection()
  const { first, kept, states } = keep(async () => {
    opened += 1
    return next.value
  })
  await first.lose('gone')
  expect(kept.state).toEqual({ kind: 'lost', reason: 'gone', retryAt: 1000 })
  expect(await Promise.all([kept.get(signal), kept.get(signal)])).toEqual([next.value, next.value])
  expect([opened, states.map(({ kind }) => kind)]).toEqual([1, ['lost', 'connected']])
})

test('it is opened after the pause even if the clock of the machine was set back meanwhile', async () => {
  const next = connection()
  let fails = true
  const { first, kept, pass, setDate } = keep(async () => {
    if (fails) throw new McpServerError('x', { code: 'not-started', reason: 'no', fix: '.' })
    return next.value
  })
  await first.lose('gone')
  await kept.get(signal)
  fails = false
  setDate(-86_400_000)
  expect(await kept.get(signal)).toMatchObject({ kind: 'lost' })
  pass(61_000)
  expect(await kept.get(signal)).toBe(next.value)
})

describe('a retired connection', () => {
  test('gets no new requests, and is closed after its last one has settled', async () => {
    const next = connection()
    const { first, kept, states } = keep(async () => next.value)
    const steps: string[] = []
    first.value.close = async () => void steps.push('closed')
    const { promise: answered, resolve: answer } = Promise.withResolvers<Reply>()
    const sent = kept.send(async () => await answered, signal)
    await first.retire('no stream')
    expect(states).toMatchObject([{ kind: 'lost', reason: 'no stream' }])
    expect((await kept.send(async () => DONE, signal)).connection).toBe(next.value)
    expect(steps).toEqual([])
    answer(DONE)
    expect(await sent).toEqual({ reply: DONE, connection: first.value })
    expect(steps).toEqual(['closed'])
  })

  test('without a request is closed at once', async () => {
    const { first } = keep(async () => connection().value)
    const steps: string[] = []
    first.value.close = async () => void steps.push('closed')
    await first.retire('no stream')
    expect(steps).toEqual(['closed'])
  })

  test('is closed with the kept connection, although a request waits', async () => {
    const { first, kept } = keep(async () => connection().value)
    const { promise: answered, resolve } = Promise.withResolvers<Reply>()
    first.value.close = async () => resolve(LOST)
    const sent = kept.send(async () => await answered, signal)
    await first.retire('no stream')
    await kept.close()
    expect((await sent).reply).toBe(LOST)
  })
})

test('a request that a forgotten session refuses is sent once if the server may have executed it', async () => {
  const { kept } = keep(async () => connection().value)
  const refused: Reply = { kind: 'loss', loss: { ...EXPIRED.loss, maybeExecuted: true } }
  let count = 0
  const request = async (): Promise<Reply> => {
    count += 1
    return refused
  }
  expect((await kept.send(request, signal)).reply).toBe(refused)
  expect(count).toBe(1)
})

test('it is opened with growing pauses while that fails, and at once after it has lasted', async () => {
  const last = connection()
  let fails = true
  const { first, kept, pass } = keep(async () => {
    if (fails) throw new McpServerError('x', { code: 'not-started', reason: 'no', fix: '.' })
    return last.value
  })
  await first.lose('gone')
  const waits: number[] = []
  for (let count = 0; count < 9; count++) {
    expect(await kept.get(signal)).toMatchObject({ kind: 'not-started', maybeExecuted: false })
    const { state } = kept
    const wait =
      state.kind === 'lost'
        ? state.retryAt - (1000 + waits.reduce((sum, each) => sum + each, 0))
        : 0
    expect(await kept.get(signal)).toMatchObject({
      reason: expect.stringContaining('the next attempt is in'),
    })
    waits.push(wait)
    pass(wait)
  }
  expect(waits).toEqual([500, 1000, 2000, 5000, 10_000, 30_000, 30_000, 30_000, 30_000])
  fails = false
  expect(await kept.get(signal)).toBe(last.value)
  pass(61_000)
  await last.lose('gone')
  expect(kept.state).toMatchObject({
    retryAt: 1000 + waits.reduce((sum, each) => sum + each, 0) + 61_000,
  })
})

/** Opens five connections, each of which is used and lost at once, and returns the pauses before the next ones. */
async function usePauses(use: (kept: KeptConnection) => Promise<unknown>): Promise<number[]> {
  let next = connection()
  const { first, kept, pass } = keep(async () => next.value)
  const waits: number[] = []
  let now = 1000
  let last = first
  for (let count = 0; count < 5; count++) {
    next = connection()
    await use(kept)
    await last.lose('gone')
    const wait = kept.state.kind === 'lost' ? kept.state.retryAt - now : 0
    waits.push(wait)
    pass(wait)
    now += wait
    expect(await kept.get(signal)).toBe(next.value)
    last = next
  }
  return waits
}

test('it is opened at once after each loss if a call was answered meanwhile, and with growing pauses if only the list was', async () => {
  const answer = async (): Promise<Reply> => DONE
  expect(await usePauses(async (kept) => await kept.send(answer, signal))).toEqual([0, 0, 0, 0, 0])
  const growing = [0, 500, 1000, 2000, 5000]
  expect(await usePauses(async (kept) => await kept.send(answer, signal, 'list'))).toEqual(growing)
  const lose = async (): Promise<Reply> => LOST
  expect(await usePauses(async (kept) => await kept.send(lose, signal))).toEqual(growing)
})

test('a cancelled caller does not wait for it', async () => {
  const { first, kept } = keep(async () => await new Promise(() => undefined))
  await first.lose('gone')
  const controller = new AbortController()
  const got = kept.get(controller.signal)
  controller.abort()
  expect(await got).toMatchObject({ reason: 'the call was ended' })
})

test('after close it stays closed', async () => {
  const { kept } = keep(async () => connection().value)
  await kept.close()
  expect(await kept.get(signal)).toMatchObject({ kind: 'closed' })
  expect(kept.state).toEqual({ kind: 'closed' })
})

test('a connection whose session was refused is closed when its last request has ended, whatever that one got', async () => {
  const { first, kept } = keep(async () => connection().value)
  const late = Promise.withResolvers<Reply>()
  const closed: string[] = []
  first.value.close = async () => void closed.push('first')
  const sent = async (connected: Connection, reply: Reply | Promise<Reply>): Promise<Reply> =>
    connected === first.value ? await reply : DONE
  const slow = kept.send(async (connected) => await sent(connected, late.promise), signal)
  const refused = await kept.send(async (connected) => await sent(connected, EXPIRED), signal)
  expect([refused.reply, closed]).toEqual([DONE, []])
  late.resolve(DONE)
  expect((await slow).reply).toEqual(DONE)
  expect(closed).toEqual(['first'])
})

test('a connection whose session was refused is closed with the others while its requests still run', async () => {
  const { first, kept } = keep(async () => connection().value)
  const closed: string[] = []
  first.value.close = async () => void closed.push('first')
  const never = Promise.withResolvers<Reply>()
  void kept.send(async () => await never.promise, signal)
  await kept.send(async (connected) => (connected === first.value ? EXPIRED : DONE), signal)
  expect(closed).toEqual([])
  await kept.close()
  expect(closed).toEqual(['first'])
})

/** A connection whose end the test allows. `steps`: what happened, in order. */
function slowToClose(): { value: Connection; allow: () => void; steps: string[] } {
  const { value } = connection()
  const { promise: allowed, resolve: allow } = Promise.withResolvers<void>()
  const steps: string[] = []
  value.close = async () => {
    steps.push('closing')
    await allowed
    steps.push('closed')
  }
  return { value, allow, steps }
}

/** Runs what waits in the queue of promises. */
const settle = async (): Promise<void> => await new Promise(setImmediate)

test.for([
  ['close', async (kept: KeptConnection) => await kept.close()],
  ['rest', async (kept: KeptConnection) => await kept.rest()],
] as const)('%s waits until the connection has ended', async ([, end]) => {
  const last = slowToClose()
  const { first, kept } = keep(async () => last.value)
  await first.lose('gone')
  await kept.get(signal)
  const ended = end(kept).then(() => last.steps.push('returned'))
  await settle()
  expect(last.steps).toEqual(['closing'])
  last.allow()
  await ended
  expect(last.steps).toEqual(['closing', 'closed', 'returned'])
})

test('a connection that opens after the end is closed before its caller continues', async () => {
  const late = slowToClose()
  const opened = Promise.withResolvers<Connection>()
  const signals: AbortSignal[] = []
  const { first, kept } = keep(async (closing) => {
    signals.push(closing)
    return await opened.promise
  })
  await first.lose('gone')
  const got = kept.get(signal).then((loss) => {
    late.steps.push('returned')
    return loss
  })
  expect(signals.map(({ aborted }) => aborted)).toEqual([false])
  await kept.close()
  expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  opened.resolve(late.value)
  await settle()
  expect(late.steps).toEqual(['closing'])
  late.allow()
  expect(await got).toMatchObject({ kind: 'closed' })
  expect(late.steps).toEqual(['closing', 'closed', 'returned'])
  expect(kept.current).toBeUndefined()
})

test('a connection whose session is refused is closed; the end of the kept connection waits for that, and no request does', async () => {
  const { first, kept } = keep(async () => connection().value)
  const steps: string[] = []
  const { promise: allowed, resolve: allow } = Promise.withResolvers<void>()
  first.value.close = async () => {
    await allowed
    steps.push('closed')
  }
  await kept.send(async () => DONE, signal)
  await kept.send(async (connected) => (connected === first.value ? EXPIRED : DONE), signal)
  const ended = kept.close().then(() => steps.push('ended'))
  await settle()
  expect(steps).toEqual([])
  allow()
  await ended
  expect(steps).toEqual(['closed', 'ended'])
})

test('a caller leaves no listener at its signal, and one that was cancelled before does not wait', async () => {
  const never = Promise.withResolvers<Connection>()
  const opened = Promise.withResolvers<Connection>()
  const attempts = [opened, never]
  const { first, kept, pass } = keep(async () => await (attempts.shift() ?? never).promise)
  const caller = new AbortController()
  await first.lose('gone')
  const got = kept.get(caller.signal)
  expect(getEventListeners(caller.signal, 'abort')).toHaveLength(1)
  const next = connection()
  opened.resolve(next.value)
  expect(await got).toBe(next.value)
  expect(getEventListeners(caller.signal, 'abort')).toHaveLength(0)
  await next.lose('gone')
  pass(1000)
  caller.abort()
  expect(await kept.get(caller.signal)).toMatchObject({ reason: 'the call was ended' })
})
