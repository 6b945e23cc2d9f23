import { randomUUID } from 'node:crypto'
import { getEventListeners } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createProgramPlaces, type ProgramPlaces } from './program-places.ts'

const never = new AbortController().signal

function open(limits: { maxPrograms?: number; idleMs?: number }): ProgramPlaces {
  const places = createProgramPlaces(limits)
  onTestFinished(places.close)
  return places
}

/** A client with one program. `rested`: how often its program was ended. */
function join(
  places: ProgramPlaces,
  client: string = randomUUID(),
): {
  start: (signal?: AbortSignal) => Promise<void>
  touch: () => void
  setBusy: (isBusy: boolean) => void
  rested: () => number
} {
  let isBusy = false
  let rested = 0
  const ends: (() => void)[] = []
  const own = places.join({
    client,
    isBusy: () => isBusy,
    rest: async () => {
      rested += 1
      for (const end of ends.splice(0)) end()
    },
  })
  return {
    start: async (signal = never) => void ends.push(await own.admit(signal)),
    touch: own.touch,
    setBusy: (next) => {
      isBusy = next
    },
    rested: () => rested,
  }
}

test('a client that waits for a place gets that of the client that has paused longest, and never that of a running call', async () => {
  const places = open({ maxPrograms: 2 })
  const [busy, paused, next] = [join(places), join(places), join(places)]
  await busy.start()
  busy.setBusy(true)
  await paused.start()
  await next.start()
  expect([busy.rested(), paused.rested()]).toEqual([0, 1])
})

test('a client whose wait is cancelled takes no place', async () => {
  const places = open({ maxPrograms: 1 })
  const [busy, cancelled, next] = [join(places), join(places), join(places)]
  await busy.start()
  busy.setBusy(true)
  const ending = new AbortController()
  const waiting = cancelled.start(ending.signal)
  ending.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  const starting = next.start()
  busy.setBusy(false)
  await starting
  expect(busy.rested()).toBe(1)
})

test('a client with a program waits for no further place, or two clients could wait for each other', async () => {
  const places = open({ maxPrograms: 1 })
  const one = join(places)
  await one.start()
  one.setBusy(true)
  await one.start()
  expect(one.rested()).toBe(0)
})

test('programs without a use for a time are ended, though nobody waits', async () => {
  const places = open({ idleMs: 100 })
  const [idle, busy] = [join(places), join(places)]
  await idle.start()
  await busy.start()
  busy.setBusy(true)
  await expect.poll(idle.rested).toBe(1)
  expect(busy.rested()).toBe(0)
})

test('a client whose long calls need many programs leaves places to others', async () => {
  const places = open({ maxPrograms: 8 })
  const started: number[] = []
  const flood = Array.from({ length: 20 }, (_, index) => ({ index, own: join(places, 'flood') }))
  for (const { own } of flood) own.setBusy(true)
  const starting = flood.map(async ({ index, own }) => {
    await own.start()
    started.push(index)
  })
  await expect.poll(() => started).toEqual([0, 1, 2, 3, 4, 5])
  await join(places).start()
  expect(started).toHaveLength(6)
  for (const { own } of flood) own.setBusy(false)
  await Promise.all(starting)
})

test('a client has as many places after its program has ended as before', async () => {
  const places = open({ maxPrograms: 3 })
  const first = places.join({ client: 'one', isBusy: () => true, rest: async () => undefined })
  const end = await first.admit(never)
  end()
  for (let count = 0; count < 3; count += 1) await join(places, 'one').start()
})

test('a client that has got its place leaves no listener, and the end of its wait no timer', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const places = open({ maxPrograms: 1 })
  const busy = places.join({ client: 'busy', isBusy: () => true, rest: async () => undefined })
  const end = await busy.admit(never)
  const { signal } = new AbortController()
  const waiting = join(places).start(signal)
  expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  expect(vi.getTimerCount()).toBe(2)
  end()
  await waiting
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  expect(vi.getTimerCount()).toBe(1)
  void join(places).start(signal)
  expect(vi.getTimerCount()).toBe(2)
  places.close()
  expect(vi.getTimerCount()).toBe(0)
})

test('programs that cannot be ended are no failure of the client that waits', async () => {
  const unhandled: unknown[] = []
  const note = (error: unknown): void => void unhandled.push(error)
  process.on('unhandledRejection', note)
  onTestFinished(() => void process.off('unhandledRejection', note))
  const places = open({ maxPrograms: 1 })
  let end = (): void => undefined
  const { promise: tried, resolve } = Promise.withResolvers<void>()
  const paused = places.join({
    client: 'paused',
    isBusy: () => false,
    rest: async () => {
      resolve()
      throw new Error('no')
    },
  })
  end = await paused.admit(never)
  const waiting = join(places).start()
  await tried
  await new Promise(setImmediate)
  end()
  await waiting
  expect(unhandled).toEqual([])
})
