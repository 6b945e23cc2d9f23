import { expect, test, vi } from 'vitest'
import {
  begin,
  callOf,
  named,
  readUntil,
  type Replicas,
  send,
  serveTwice,
} from '../testing/replicas.support.ts'
import { type Execute, text } from '../testing/served.support.ts'
import { createSharedDocuments } from '../testing/shared-documents.support.ts'
import { canBeTakenBack, createCallMarks } from './call-marks.ts'
import type { ToolService } from './tool-service.ts'

/** Two replicas, of which the first waits with everything that a client of it needs until `release` is called. */
async function serveWaiting() {
  const executed: string[] = []
  const waiting = vi.fn<() => void>()
  const { promise, resolve: release } = Promise.withResolvers<void>()
  const execute =
    (name: string): Execute =>
    async (...call) => {
      executed.push(name)
      return await named(name)(...call)
    }
  const service = (name: string): Partial<ToolService> => ({
    open: async () => {
      if (name === 'first') {
        waiting()
        await promise
      }
      return {
        name: 'ours',
        version: '1',
        root: '/w',
        definitions: () => [{ name: 'tool', inputSchema: { type: 'object' } }],
        callTool: execute(name),
        close: async () => undefined,
      }
    },
  })
  const replicas: Replicas = await serveTwice(execute, service)
  return { ...replicas, executed, waiting, release }
}

test('a call that its replica has not begun is executed by the one that takes the session over, once', async () => {
  const { first, second, isolate, executed, waiting, release } = await serveWaiting()
  const session = await begin(first)
  const calling = send(second, callOf(1), session)
  await vi.waitFor(() => expect(waiting).toHaveBeenCalled())
  isolate()
  const answer = await (await calling).text()
  expect(answer).toContain('from second')
  expect(answer).not.toContain('may have been executed')
  // What was waiting continues, and finds the call taken.
  release()
  expect(await (await send(second, callOf(2), session)).text()).toContain('from second')
  expect(executed).toEqual(['second', 'second'])
})

test('a call of MCP 2026-07-28 that was passed on is no other one', async () => {
  const { second, first, isolate, executed } = await serveWaiting()
  const session = await begin(first)
  isolate()
  const answer = await send(second, callOf(1), session)
  expect(await answer.text()).toContain('from second')
  expect(executed).toEqual(['second'])
})

test('a call that has begun is not executed again', async () => {
  const executed: string[] = []
  const { promise } = Promise.withResolvers<void>()
  const { first, second, isolate } = await serveTwice((name) => async () => {
    executed.push(name)
    if (name === 'first') await promise
    return text(`from ${name}`)
  })
  const session = await begin(first)
  const answer = await send(second, callOf(1), session)
  await vi.waitFor(() => expect(executed).toEqual(['first']))
  isolate()
  expect(await readUntil(answer, 'may have been executed')).toContain('may have been executed')
  expect(executed).toEqual(['first'])
})

test('of the replica that begins a call and the one that takes it back, the first decides', async () => {
  const shared = createSharedDocuments()
  const [one, other] = [createCallMarks(shared.open()), createCallMarks(shared.open())]
  await one.begin('a')
  expect(await other.takeBack('a', performance.now())).toBe(false)
  expect(await other.takeBack('b', performance.now())).toBe(true)
  await expect(one.begin('b')).rejects.toThrow('not executed here: another replica executes it')
  const both = Array.from({ length: 50 }, async (_, index) => {
    const results = await Promise.allSettled([
      one.begin(`c${index}`),
      other.takeBack(`c${index}`, performance.now()).then((isTaken) => {
        if (!isTaken) throw new Error('begun')
      }),
    ])
    return results.filter(({ status }) => status === 'fulfilled').length
  })
  expect(new Set(await Promise.all(both))).toEqual(new Set([1]))
})

test('without the store, a call that was passed on is not executed, and none is taken back', async () => {
  const failing = createSharedDocuments().open()
  failing.fail()
  const marks = createCallMarks(failing)
  await expect(marks.begin('a')).rejects.toThrow('the store of the sessions fails')
  expect(await marks.takeBack('b', performance.now())).toBe(false)
})

test('a process that was stopped for long takes nothing back: the document may have been removed', async () => {
  const marks = createCallMarks(createSharedDocuments().open())
  expect(await marks.takeBack('a', performance.now() - 6 * 60 * 1000)).toBe(false)
})

test.for<[boolean, unknown]>([
  [true, { id: 1, method: 'tools/call', params: { name: 'x' } }],
  [false, { id: 1, method: 'resources/read', params: { uri: 'x:' } }],
  [false, { method: 'tools/call', params: { name: 'x' } }],
  [false, { id: 1, method: 'tools/call', params: { name: 'x', task: {} } }],
  [false, { id: 1, method: 'tools/call', params: { name: 'x', requestState: 'x' } }],
  [false, [{ id: 1, method: 'tools/call', params: { name: 'x' } }]],
  [false, undefined],
])('whether another replica may execute a request: %s for %j', ([expected, body]) => {
  expect(canBeTakenBack(body)).toBe(expected)
})
