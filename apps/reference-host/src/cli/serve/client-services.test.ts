import { createSuccessResult } from '@toolblocks/protocol'
import { describe, expect, test, vi } from 'vitest'
import {
  MINUTE,
  call,
  context,
  createClient,
  createHeldCall,
  createServices,
  entry,
  list,
  noteUnhandled,
  session,
  settle,
  signal,
  stateless,
  useFakeTime,
} from './client-services.support.ts'

describe('the end of a client', () => {
  test.for([
    ['a session', 'session'],
    ['the services', 'all'],
  ] as const)(
    'with the end of %s, closes connections, records what still ran, and closes the record, in this order',
    async ([, what]) => {
      const { held, begun, end } = createHeldCall()
      const { services, log } = createServices(() => ({
        entries: [held],
        close: async () => {
          log.push('closing')
          end()
          await settle(3)
          log.push('closed')
        },
      }))
      const own = await services.open(session)
      const running = call(own)
      await begun
      log.length = 0
      await (what === 'session' ? own.close() : services.close())
      log.push('returned')
      await running
      expect(log).toEqual(['closing', 'closed', 'tool_result', 'record closed', 'returned'])
      await services.close()
      expect(log).toHaveLength(5)
    },
  )

  test('leaves the other clients their connections and records', async () => {
    const { services, log } = createServices()
    const one = await services.open(session)
    const two = await services.open(createClient('2025-11-25', 'other'))
    await one.close()
    expect(log).toEqual(['closing 1', 'closed 1', 'record closed'])
    expect(await call(two)).toMatchObject([{ text: 'first' }])
  })

  test('without a session, which has no request for ten minutes, is that of all its connections and closes its record once', async () => {
    useFakeTime()
    const unhandled = noteUnhandled()
    const { held, begun, end } = createHeldCall()
    const { services, log, countOpened } = createServices((_, count) => ({
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
    expect(log.filter((each) => each.startsWith('clos'))).toEqual([])
    end()
    await running
    await first.close()
    vi.advanceTimersByTime(11 * MINUTE)
    await settle(30)
    expect(log.filter((each) => each.startsWith('clos'))).toEqual(['closing 1', 'closed 1'])
    expect(unhandled).toEqual([])
    await services.open(stateless)
    expect(countOpened()).toBe(3)
  })

  test('is waited for when the service ends meanwhile, so that its record is complete', async () => {
    const { promise: closed, resolve } = Promise.withResolvers<void>()
    const { services } = createServices(() => ({ close: async () => await closed }))
    const own = await services.open(session)
    await call(own)
    const ending = own.close()
    let isOver = false
    const ended = services.close().then(() => (isOver = true))
    await settle(20)
    expect(isOver).toBe(false)
    resolve()
    await Promise.all([ending, ended])
    expect(isOver).toBe(true)
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
    const { services, log } = createServices(({ admit }) => {
      void admit?.(signal)
      return { entries: [held] }
    })
    const own = await services.open(session)
    const running = call(own)
    await begun
    vi.advanceTimersByTime(20 * MINUTE)
    expect(log).not.toContain('resting 1')
    end()
    await running
    const failing = AbortSignal.abort()
    await own.callTool(
      { id: 'x', name: 'first', arguments: {} },
      { ...context, signal: failing },
      session,
    )
    vi.advanceTimersByTime(9 * MINUTE)
    expect(log).not.toContain('resting 1')
    vi.advanceTimersByTime(4 * MINUTE)
    expect(log).toContain('resting 1')
  })

  test('leave places for those of others, however many calls it makes', async () => {
    let admitted = 0
    const { held, begun, end } = createHeldCall()
    const { services } = createServices(({ admit }) => {
      void admit?.(signal).then(() => (admitted += 1))
      return { entries: [held] }
    })
    const own = await services.open(stateless)
    const running = Array.from({ length: 45 }, async () => await call(own, 'first', stateless))
    await begun
    await settle(10)
    const taken = admitted
    expect(taken).toBeLessThan(45)
    await services.open(session)
    await settle(3)
    expect(admitted).toBe(taken + 1)
    end()
    await Promise.all(running)
  })

  test('do not rest any more after its end', async () => {
    useFakeTime()
    const { services, log } = createServices(({ admit }) => {
      void admit?.(signal)
      return {}
    })
    const own = await services.open(session)
    await own.close()
    vi.advanceTimersByTime(20 * MINUTE)
    expect(log).not.toContain('resting 1')
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

  test('uses connected servers before those whose next attempt is later', async () => {
    const { held, begun, end } = createHeldCall()
    let state: object = { kind: 'connected' }
    const used: number[] = []
    const { services, countOpened } = createServices((_, count) => ({
      entries: [
        held,
        entry('second', async () => {
          used.push(count)
          return createSuccessResult([])
        }),
      ],
      servers: [
        {
          name: 's',
          capabilities: {},
          hasLinked: () => false,
          get state() {
            return count === 1 ? state : { kind: 'connected' }
          },
        },
      ] as never,
    }))
    const own = await services.open(stateless)
    const running = call(own, 'first', stateless)
    await begun
    await call(own, 'second', stateless)
    end()
    await running
    state = { kind: 'lost', reason: 'gone', retryAt: Date.now() + MINUTE }
    await call(own, 'second', stateless)
    state = { kind: 'lost', reason: 'gone', retryAt: Date.now() - 1 }
    await call(own, 'second', stateless)
    expect([used, countOpened()]).toEqual([[2, 2, 1], 2])
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
            await settle(3)
            if (!hasFailed) throw new Error('another has failed')
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

  test('a tool as soon as its server has announced it, while another server is still starting', async () => {
    let change = (): void => undefined
    const { services } = createServices(
      ({ onChange }) => {
        change = onChange
        const wait = async (): Promise<void> => await new Promise(() => undefined)
        return {
          starting: { names: () => ['slow'], wait },
          renew: async () => [entry('offered')],
        }
      },
      { patienceMs: MINUTE, isOffered: () => true },
    )
    const own = await services.open(session)
    const waiting = own.starting?.wait('offered')
    change()
    await waiting
    expect(list(own)).toEqual(['offered'])
  })

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
    const log: string[] = []
    const { services } = createServices(
      () => ({
        entries: [
          entry('first', async () => {
            log.push('called')
            return createSuccessResult([])
          }),
        ],
        retry: async () => {
          await settle(3)
          log.push('tried')
          return false
        },
      }),
      { patienceMs: MINUTE },
    )
    await call(await services.open(stateless), 'first', stateless)
    expect(log).toEqual(['tried', 'called'])
  })
})
