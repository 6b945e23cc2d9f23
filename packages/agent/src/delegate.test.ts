import { openStore } from '@toolblocks/conversation-store'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { agentsAt, countTokens, createDelegateTool, startTimeLimit } from './delegate.ts'
import { type Model, ModelError } from './model.ts'
import { openConversation } from './open-conversation.ts'
import type { TurnEnd } from './run-turn.ts'
import { letOthersWork, withSlowWrites } from './slow-store.support.ts'

const unstopped = new AbortController().signal

const request = { messages: [], tools: [] }

/** A model whose responses report this usage. */
function makeModel(usage?: { inputTokens: number; outputTokens: number }): Model {
  return async function* answer() {
    const message = { role: 'assistant', content: [], calls: [] } as const
    yield { type: 'message', message, ...(usage && { usage }) }
  }
}

async function ask(model: Model): Promise<void> {
  for await (const event of model(request, unstopped)) expect(event.type).toBe('message')
}

test('the time of waits for a person does not count, also if waits overlap', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setImmediate', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const limit = startTimeLimit(100)
  await vi.advanceTimersByTimeAsync(60)
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const waits = [first, second].map(async (wait) => await limit.pausedFor(() => wait.promise))
  await vi.advanceTimersByTimeAsync(1000)
  first.resolve()
  await vi.advanceTimersByTimeAsync(1000)
  second.resolve()
  await Promise.all(waits)
  await vi.advanceTimersByTimeAsync(39)
  expect(limit.signal.aborted).toBe(false)
  await vi.advanceTimersByTimeAsync(2)
  expect(limit.signal.aborted).toBe(true)
})

test('a cleared limit aborts nothing, also if a wait ends later', async () => {
  const limit = startTimeLimit(5)
  const wait = Promise.withResolvers<void>()
  const waiting = limit.pausedFor(() => wait.promise)
  limit.clear()
  wait.resolve()
  await waiting
  await sleep(20)
  expect(limit.signal.aborted).toBe(false)
})

test('a model is refused after it has used its maximum number of tokens', async () => {
  const { model, tokens } = countTokens(makeModel({ inputTokens: 60, outputTokens: 5 }), 100)
  await ask(model)
  await ask(model)
  expect(tokens()).toBe(130)
  await expect(ask(model)).rejects.toMatchObject({
    code: 'refused',
    message: 'it has used 130 tokens, and its limit is 100',
  })
})

test('tokens are estimated if the provider does not report them; without a limit they are only counted', async () => {
  const { model, tokens } = countTokens(makeModel())
  for (let asked = 0; asked < 20; asked += 1) await ask(model)
  expect(tokens()).toBeGreaterThan(100)
})

test('an agent can be started up to the depth of its definition', () => {
  const agents = { a: { summary: '' }, b: { summary: '', maxDepth: 2 } }
  expect([1, 2, 3].map((depth) => Object.keys(agentsAt(agents, depth)))).toEqual([
    ['a', 'b'],
    ['b'],
    [],
  ])
})

const call = { id: 'd', name: 'delegate', arguments: { agent: 'cleaner', task: 'Clean.' } }

test.for<[string, () => Promise<TurnEnd>, object]>([
  ['has ended', async () => 'completed', { isError: true }],
  ['waits', async () => 'parked', { isError: true }],
  [
    'was refused by its model',
    async () => await Promise.reject(new ModelError('refused', 'no such model')),
    { content: [{ text: 'The agent "cleaner" was stopped: no such model.' }] },
  ],
  ['failed', async () => await Promise.reject(new Error('disk full')), { message: 'disk full' }],
])(
  'an agent that %s is closed before its call ends, and its time limit is removed',
  async ([, play, expected]) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const store = await openStore('memory:')
    onTestFinished(async () => await store.close())
    const steps: string[] = []
    const conversation = await openConversation(withSlowWrites(store), 'agent')
    const tool = createDelegateTool({
      agents: { cleaner: { summary: 'Cleans.' } },
      conversation: 'c',
      show: () => {},
      park: (id) => void steps.push(`parked ${id}`),
      start: async () => ({
        ok: true,
        led: {
          conversation,
          tokens: () => 0,
          play: async () => {
            steps.push(`begins after ${conversation.events().length} events`)
            return await play()
          },
          close: async () => {
            await letOthersWork()
            steps.push('closed')
          },
        },
      }),
    })
    const running = tool.execute(call, { signal: unstopped, root: '/', answers: {} })
    const ended = await running.catch(({ message }: Error) => ({ message }))
    expect(ended).toMatchObject(expected)
    const [first, ...rest] = steps
    expect(first).toBe('begins after 1 events')
    expect(rest.at(-1)).toBe('closed')
    expect(vi.getTimerCount()).toBe(0)
  },
)
