import type { ServedClient, ToolService } from '@toolblocks/mcp-bridge/server'
import { createSuccessResult, type Tool } from '@toolblocks/protocol'
import type { ToolEntry } from '@toolblocks/tool-executor'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createClientServices } from './client-services.ts'
import type { OpenedService } from './open-service.ts'

type Opened = Extract<OpenedService, { ok: true }>
type Connect = NonNullable<Opened['openClient']>
type Connected = Awaited<ReturnType<Connect>>
type Connections = Parameters<Connect>[1]

const MINUTE = 60_000
const { signal } = new AbortController()
const context = { signal, root: '/' }

const createClient = (protocolVersion: '2025-11-25' | '2026-07-28', id = 'c'): ServedClient => ({
  id,
  protocolVersion,
  capabilities: { elicitation: {} },
  identity: 'key',
  request: async () => ({ kind: 'aborted' }),
  notify: () => undefined,
})
const session = createClient('2025-11-25')
const stateless = createClient('2026-07-28')

/** Lets everything run that needs no timer. */
async function settle(turns = 1): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate)
}

const entry = (name: string, execute?: Tool['execute']): ToolEntry => ({
  tool: {
    name,
    inputSchema: { type: 'object' },
    execute: execute ?? (async () => createSuccessResult([{ type: 'text', text: name }])),
  },
  source: 'mcp:s',
  policy: 'unattended',
})

/** The services of clients whose connections the test controls. `told`: what happened, in order. */
function createServices(
  connect: (connections: Connections, count: number) => Partial<Connected> = () => ({}),
  { patienceMs = 20, isOffered = (): boolean => false } = {},
) {
  const told: string[] = []
  const warnings: string[] = []
  let count = 0
  const opened = {
    ok: true,
    entries: [entry('first')],
    // A server, so that its tools are called over the connections of one call.
    servers: [{ capabilities: {}, hasLinked: () => false }],
    root: '/',
    beginRecord: () => ({
      record: async (...events: { type: string }[]) => {
        await settle(8)
        told.push(...events.map(({ type }) => type))
      },
      close: async () => {
        await settle()
        told.push('record closed')
      },
    }),
    openClient: async (_client: unknown, connections: Connections) => {
      count += 1
      const own = count
      return {
        entries: [entry('first')],
        servers: [],
        readers: [],
        starting: { names: () => [], wait: async () => undefined },
        renew: async () => undefined,
        retry: async () => false,
        rest: async () => void told.push(`resting ${own}`),
        close: async () => {
          told.push(`closing ${own}`)
          await settle(3)
          told.push(`closed ${own}`)
        },
        ...connect(connections, own),
      }
    },
  } as unknown as Opened
  const services = createClientServices({
    ...opened,
    opened,
    version: '1',
    approval: 'client',
    patienceMs,
    isOffered,
    warn: (message) => void warnings.push(message),
  })
  onTestFinished(async () => await services.close())
  return { services, told, warnings, countOpened: () => count }
}

const call = async (service: ToolService, name = 'first', client = session): Promise<unknown> =>
  (await service.callTool({ id: name, name, arguments: {} }, context, client)).content

const list = (service: ToolService): string[] => service.definitions().map(({ name }) => name)

/** The rejections that nothing has handled until the end of the test. */
function noteUnhandled(): unknown[] {
  const unhandled: unknown[] = []
  const note = (error: unknown): void => void unhandled.push(error)
  process.on('unhandledRejection', note)
  onTestFinished(() => void process.off('unhandledRejection', note))
  return unhandled
}

function useFakeTime(): void {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
  })
  onTestFinished(() => void vi.useRealTimers())
}

/** A call that runs until the connections of its client are closed. */
function createHeldCall() {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  const held = entry('first', async () => {
    begin()
    await over
    return createSuccessResult([])
  })
  return { held, begun, end }
}

describe('the end of a client', () => {
  test.for([
    ['a session', 'session'],
    ['the services', 'all'],
  ] as const)(
    'with the end of %s, closes connections, records what still ran, and closes the record, in this order',
    async ([, what]) => {
      const { held, begun, end } = createHeldCall()
      const { services, told } = createServices(() => ({
        entries: [held],
        close: async () => {
          told.push('closing')
          end()
          await settle(3)
          told.push('closed')
        },
      }))
      const own = await services.open(session)
      const running = call(own)
      await begun
      told.length = 0
      await (what === 'session' ? own.close() : services.close())
      told.push('returned')
      await running
      expect(told).toEqual(['closing', 'closed', 'tool_result', 'record closed', 'returned'])
      await services.close()
      expect(told).toHaveLength(5)
    },
  )

  test('leaves the other clients their connections and records', async () => {
    const { services, told } = createServices()
    const one = await services.open(session)
    const two = await services.open(createClient('2025-11-25', 'other'))
    await one.close()
    expect(told).toEqual(['closing 1', 'closed 1', 'record closed'])
    expect(await call(two)).toMatchObject([{ text: 'first' }])
  })

  test('without a session, which has no request for ten minutes, is that of all its connections and closes its record once', async () => {
    useFakeTime()
    const unhandled = noteUnhandled()
    const { held, begun, end } = createHeldCall()
    const { services, told, countOpened } = createServices((_, count) => ({
      ...(count === 1 && { entries: [held] }),
      ...(count === 2 && { close: async () => await Promise.reject(new Error('not closed')) }),
    }))
    const first = await services.open(stateless)
    const running = call(first, 'first', stateless)
    await begun
    const second = await services.open(stateless)
    expect(await call(second, 'first', stateless)).toMatchObject([{ text: 'first' }])
    expect(countOpened()).toBe(2)
    await second.close()
    vi.advanceTimersByTime(11 * MINUTE)
    await settle(20)
    expect(told.filter((each) => each.startsWith('clos'))).toEqual([])
    end()
    await running
    await first.close()
    vi.advanceTimersByTime(11 * MINUTE)
    await settle(30)
    expect(told.filter((each) => each.startsWith('clos'))).toEqual(['closing 1', 'closed 1'])
    expect(unhandled).toEqual([])
    await services.open(stateless)
    expect(countOpened()).toBe(3)
  })

  test('leaves no timer', async () => {
    useFakeTime()
    const { services } = createServices()
    const own = await services.open(session)
    await call(own)
    await own.close()
    await services.close()
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('the programs of a client', () => {
  test('rest ten minutes after its last call, also after one that failed, and not while one runs', async () => {
    useFakeTime()
    const { held, begun, end } = createHeldCall()
    const { services, told } = createServices(({ admit }) => {
      void admit?.(signal)
      return { entries: [held] }
    })
    const own = await services.open(session)
    const running = call(own)
    await begun
    vi.advanceTimersByTime(20 * MINUTE)
    expect(told).not.toContain('resting 1')
    end()
    await running
    const failing = AbortSignal.abort()
    await own.callTool(
      { id: 'x', name: 'first', arguments: {} },
      { ...context, signal: failing },
      session,
    )
    vi.advanceTimersByTime(9 * MINUTE)
    expect(told).not.toContain('resting 1')
    vi.advanceTimersByTime(4 * MINUTE)
    expect(told).toContain('resting 1')
  })

  test('do not rest any more after its end', async () => {
    useFakeTime()
    const { services, told } = createServices(({ admit }) => {
      void admit?.(signal)
      return {}
    })
    const own = await services.open(session)
    await own.close()
    vi.advanceTimersByTime(20 * MINUTE)
    expect(told).not.toContain('resting 1')
  })
})

describe('a client without a session', () => {
  test('whose connections could not be opened gets them with its next request', async () => {
    const { services } = createServices((_, count) => {
      if (count === 1) throw new Error('not now')
      return {}
    })
    await expect(services.open(stateless)).rejects.toThrow('not now')
    await settle()
    expect(await call(await services.open(stateless), 'first', stateless)).toMatchObject([
      { text: 'first' },
    ])
  })

  test('uses the connections of a call that has ended again, also of one that failed', async () => {
    const { services, countOpened } = createServices(() => ({
      entries: [entry('first'), entry('fails', async () => await Promise.reject(new Error('no')))],
    }))
    const own = await services.open(stateless)
    for (const name of ['first', 'fails', 'first', 'fails']) await call(own, name, stateless)
    expect(countOpened()).toBe(1)
    await Promise.all([call(own, 'first', stateless), call(own, 'first', stateless)])
    await Promise.all([call(own, 'first', stateless), call(own, 'first', stateless)])
    expect(countOpened()).toBe(2)
  })
})

describe('a service offers', () => {
  test('the tools that a server has changed while it was being opened', async () => {
    const { services } = createServices(({ onChange }) => {
      onChange()
      return {
        renew: async () => {
          await settle(3)
          return [entry('changed')]
        },
      }
    })
    expect(list(await services.open(session))).toEqual(['changed'])
  })

  test('its tools of before, with a warning, if the changed ones cannot be read', async () => {
    const { services, warnings } = createServices(({ onChange }) => {
      onChange()
      return { renew: async () => await Promise.reject(new Error('lost')) }
    })
    expect(list(await services.open(session))).toEqual(['first'])
    expect(warnings).toEqual(['Error: lost'])
  })

  test.for([
    ['a list', undefined],
    ['a call of another tool', 'other'],
  ] as const)('the tools of servers that had failed before %s is answered', async ([, called]) => {
    const { services } = createServices(
      () => ({
        retry: async () => {
          await settle(3)
          return true
        },
        renew: async () => {
          await settle(3)
          return [entry('later')]
        },
      }),
      { patienceMs: MINUTE },
    )
    const own = await services.open(session)
    await own.starting?.wait(called)
    expect(list(own)).toEqual(['later'])
  })

  test('its tools with a warning if a server fails again, and does not wait for one for ever', async () => {
    let isLost = true
    const { services, warnings } = createServices(() => ({
      retry: async () =>
        isLost ? await Promise.reject(new Error('still lost')) : await new Promise(() => undefined),
    }))
    const own = await services.open(session)
    await own.starting?.wait()
    expect(warnings).toEqual(['Error: still lost'])
    isLost = false
    await own.starting?.wait()
    expect(list(own)).toEqual(['first'])
  })

  test.for([
    ['has started', false],
    ['had failed', true],
  ] as const)(
    'a tool that others are offered when its server %s, before the call',
    async ([, hasFailed]) => {
      let isThere = !hasFailed
      const { services, warnings } = createServices(
        () => ({
          starting: {
            names: () => [],
            wait: async () => await settle(3),
          },
          renew: async () => (isThere ? [entry('offered')] : undefined),
          retry: async () => {
            if (!hasFailed) throw new Error('another has failed')
            await settle(3)
            isThere = true
            return true
          },
        }),
        { patienceMs: MINUTE, isOffered: () => true },
      )
      const own = await services.open(session)
      await own.starting?.wait('offered')
      expect(list(own)).toEqual(['offered'])
      expect(warnings).toEqual(hasFailed ? [] : ['Error: another has failed'])
    },
  )

  test('an unknown tool after a warning if its server has failed again', async () => {
    const { services, warnings } = createServices(
      () => ({ retry: async () => await Promise.reject(new Error('lost')) }),
      { patienceMs: MINUTE, isOffered: () => true },
    )
    const own = await services.open(session)
    await own.starting?.wait('offered')
    expect(warnings).toEqual(['Error: lost'])
  })

  test('a call its connections after the servers that had failed were tried again', async () => {
    const told: string[] = []
    const { services } = createServices(
      () => ({
        entries: [
          entry('first', async () => {
            told.push('called')
            return createSuccessResult([])
          }),
        ],
        retry: async () => {
          await settle(3)
          told.push('tried')
          return false
        },
      }),
      { patienceMs: MINUTE },
    )
    await call(await services.open(stateless), 'first', stateless)
    expect(told).toEqual(['tried', 'called'])
  })
})
