import { createSuccessResult, type Tool } from '@toolblocks/protocol'
import { createToolExecutor } from '@toolblocks/tool-executor'
import { expect, test } from 'vitest'
import { createPersonTime } from './person-time.ts'

const context = { signal: new AbortController().signal, root: '/' }
const callOf = (name: string) => ({ id: `of ${name}`, name, arguments: {} })

test('what a person took is known by call, also where they were asked twice; waits that overlap count once', async () => {
  let clock = 0
  const time = createPersonTime(() => clock)
  const thinking = (milliseconds: number) => async () => void (clock += milliseconds)
  await time.around('a', thinking(70))
  await time.around('a', thinking(70))
  await time.around('b', async () => {
    await time.around('b', thinking(30))
    clock += 10
  })
  expect([time.of('a'), time.of('b'), time.of('c')]).toEqual([140, 40, 0])
})

test('a wait that fails counts, too', async () => {
  let clock = 0
  const time = createPersonTime(() => clock)
  const failing = time.around('a', async () => {
    clock += 70
    throw new Error('gone')
  })
  await expect(failing).rejects.toThrow('gone')
  expect(time.of('a')).toBe(70)
})

test('a call that stands behind the approval or the question of another waits for the person as long as they take for both', async () => {
  let clock = 0
  const time = createPersonTime(() => clock)
  const waiting = new Set<string>()
  const allWait = Promise.withResolvers<void>()
  const echo: Tool = {
    name: 'echo',
    inputSchema: true,
    execute: async () => createSuccessResult([]),
  }
  const asking: Tool = {
    name: 'asking',
    inputSchema: true,
    execute: async (_call, { answers }) =>
      Object.hasOwn(answers, 'name')
        ? createSuccessResult([])
        : createSuccessResult([
            { type: 'question', question: { id: 'name', text: 'Name?', schema: true } },
          ]),
  }
  const executor = createToolExecutor({
    tools: [
      { tool: echo },
      { tool: { ...echo, name: 'second' } },
      { tool: asking, policy: 'unattended' },
    ],
    aroundWait: async (call, wait) => {
      waiting.add(call)
      if (waiting.size === 3) allWait.resolve()
      return await time.around(call, wait)
    },
    approve: async () => {
      await allWait.promise
      clock += 1000
      return { decision: 'allowed' }
    },
  })
  const user = async () => {
    await new Promise(setImmediate)
    clock += 500
    return { action: 'accept' as const, value: 'Ada' }
  }
  const results = await Promise.all(
    ['echo', 'second', 'asking'].map(
      async (name) => await executor.execute(callOf(name), { ...context, ask: { user } }),
    ),
  )
  await executor.close()
  expect(results.map(({ isError }) => isError)).toEqual([false, false, false])
  expect(['echo', 'second', 'asking'].map((name) => time.of(`of ${name}`))).toEqual([
    1000, 2000, 2500,
  ])
})
