import {
  type Answer,
  createSuccessResult,
  type InquiryEvent,
  type QuestionContext,
  type Tool,
  type ToolResult,
} from '@toolblocks/protocol'
import { expect, test, vi } from 'vitest'
import { createToolExecutor, type ToolExecutorOptions } from './create-tool-executor.ts'
import { context, getText, makeCall } from './executor.support.ts'

/** A tool that asks for a name in the name of who calls. */
const asker: Tool = {
  name: 'ask',
  inputSchema: { type: 'object', properties: { of: { type: 'string' } } },
  execute: async ({ arguments: { of } }, { answers }) =>
    createSuccessResult([
      Object.hasOwn(answers, 'name')
        ? { type: 'text', text: `${String(of)}: ${JSON.stringify(answers['name'])}` }
        : {
            type: 'question',
            question: { id: 'name', text: `Name for ${String(of)}?`, schema: true },
          },
    ]),
}

/** A person who answers only when told to, and what they were asked. */
function createPerson() {
  const asked: string[] = []
  const answers: ((answer: Answer) => void)[] = []
  return {
    asked,
    user: async (request: { text: string }, { signal }: Pick<QuestionContext, 'signal'>) => {
      asked.push(request.text)
      return await new Promise<Answer>((resolve) => {
        answers.push(resolve)
        signal.addEventListener('abort', () => resolve({ action: 'cancel', reason: 'aborted' }))
      })
    },
    answer: (value: string) => answers.shift()?.({ action: 'accept', value }),
  }
}

/** Waits until the questions were asked, and everything that may follow has happened. */
const untilAsked = async (asked: readonly string[], count: number): Promise<void> => {
  await vi.waitFor(() => expect(asked).toHaveLength(count))
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
}

/** One executor for two conversations, whose models give their calls the same ids. */
function open(options: Partial<ToolExecutorOptions> = {}) {
  const executor = createToolExecutor({
    tools: [{ tool: asker, policy: 'unattended' }],
    ...options,
  })
  const call = async (
    conversationId: string | undefined,
    user: ReturnType<typeof createPerson>['user'],
    personId?: string,
  ): Promise<ToolResult> =>
    await executor.execute(makeCall('ask', { of: conversationId ?? 'nobody' }), {
      ...context,
      ...(conversationId !== undefined && { conversationId }),
      ...(personId !== undefined && { personId }),
      ask: { user },
    })
  return { executor, call }
}

test('an open question of one conversation does not delay those of another one', async () => {
  const [ann, bob] = [createPerson(), createPerson()]
  const { call } = open()
  const [first, second] = [call('ann', ann.user), call('bob', bob.user)]
  await untilAsked(ann.asked, 1)
  await untilAsked(bob.asked, 1)
  expect([ann.asked, bob.asked]).toEqual([['Name for ann?'], ['Name for bob?']])
  bob.answer('of bob')
  expect(getText(await second)).toBe('bob: "of bob"')
  ann.answer('of ann')
  expect(getText(await first)).toBe('ann: "of ann"')
})

test('a person is asked one thing at a time, also by several conversations, and no other person waits', async () => {
  const [ann, bob] = [createPerson(), createPerson()]
  const { call } = open()
  const calls = [
    call('one', ann.user, 'ann'),
    call('two', ann.user, 'ann'),
    call('three', bob.user, 'bob'),
  ]
  await untilAsked(ann.asked, 1)
  await untilAsked(bob.asked, 1)
  expect([ann.asked, bob.asked]).toEqual([['Name for one?'], ['Name for three?']])
  ann.answer('1')
  await untilAsked(ann.asked, 2)
  expect(ann.asked).toEqual(['Name for one?', 'Name for two?'])
  ann.answer('2')
  bob.answer('3')
  expect((await Promise.all(calls)).map(getText)).toEqual(['one: "1"', 'two: "2"', 'three: "3"'])
})

test('calls of one conversation, and calls without one, ask in turn', async () => {
  const person = createPerson()
  const { call } = open()
  for (const conversation of ['ann', undefined]) {
    const calls = [call(conversation, person.user), call(conversation, person.user)]
    person.asked.length = 0
    await untilAsked(person.asked, 1)
    person.answer('1')
    await untilAsked(person.asked, 2)
    person.answer('2')
    await Promise.all(calls)
  }
})

test('a conversation with many open questions delays only itself', async () => {
  const [ann, bob] = [createPerson(), createPerson()]
  const { executor, call } = open()
  const end = new AbortController()
  const many = Array.from({ length: 100 }, async () =>
    executor.execute(makeCall('ask', { of: 'ann' }), {
      ...context,
      signal: end.signal,
      conversationId: 'ann',
      ask: { user: ann.user },
    }),
  )
  const other = call('bob', bob.user)
  await untilAsked(bob.asked, 1)
  await untilAsked(ann.asked, 1)
  bob.answer('of bob')
  expect(getText(await other)).toBe('bob: "of bob"')
  end.abort()
  await Promise.all(many)
  expect(bob.asked).toEqual(['Name for bob?'])
})

test('an open approval of one conversation does not delay those of another one', async () => {
  const decided = Promise.withResolvers<void>()
  const asked: unknown[] = []
  const { executor } = open({
    tools: [{ tool: asker, policy: 'ask' }],
    decide: async (call, { conversationId }) => {
      asked.push(['decide', conversationId, call.id])
      return undefined
    },
    approve: async (call, { conversationId }) => {
      asked.push(['approve', conversationId, call.id])
      if (conversationId === 'ann') await decided.promise
      return { decision: conversationId === 'ann' ? 'denied' : 'allowed' }
    },
  })
  const run = async (conversationId: string): Promise<ToolResult> =>
    await executor.execute(makeCall('ask'), {
      ...context,
      conversationId,
      answers: { name: `of ${conversationId}` },
    })
  const first = run('ann')
  expect(getText(await run('bob'))).toContain('of bob')
  decided.resolve()
  expect(getText(await first)).toContain('denied')
  expect(asked).toEqual([
    ['decide', 'ann', 'call-1'],
    ['decide', 'bob', 'call-1'],
    ['approve', 'ann', 'call-1'],
    ['approve', 'bob', 'call-1'],
  ])
})

test('the recorder and the host’s wait learn whose question it is, though the calls have the same id', async () => {
  const recorded: [InquiryEvent['type'], string | undefined, string][] = []
  const waits: unknown[] = []
  const { call } = open({
    recordInquiry: (event, { conversationId }) =>
      void recorded.push([event.type, conversationId, JSON.stringify(event)]),
    wrapWait: async (asking, wait) => {
      waits.push(asking)
      return await wait()
    },
  })
  await Promise.all(
    ['ann', 'bob'].map(
      async (name) => await call(name, async () => ({ action: 'accept', value: `of ${name}` })),
    ),
  )
  expect(recorded).toHaveLength(4)
  for (const name of ['ann', 'bob']) {
    const own = recorded.filter(([, conversation]) => conversation === name)
    expect(own.map(([type]) => type)).toEqual(['question', 'answer'])
    expect(own.map(([, , text]) => text).join()).toMatch(new RegExp(`for ${name}.*of ${name}`))
    expect(own.map(([, , text]) => text).join()).not.toContain(name === 'ann' ? 'bob' : 'ann')
  }
  expect(waits).toEqual(
    expect.arrayContaining([
      { callId: 'call-1', conversationId: 'ann' },
      { callId: 'call-1', conversationId: 'bob' },
    ]),
  )
})

test('a tool does not receive who is asked', async () => {
  const seen: object[] = []
  const { executor } = open({
    tools: [
      {
        tool: {
          ...asker,
          execute: async (_, toolContext) => (seen.push(toolContext), createSuccessResult([])),
        },
        policy: 'unattended',
      },
    ],
  })
  await executor.execute(makeCall('ask'), { ...context, personId: 'ann', conversationId: 'c' })
  expect(seen).toMatchObject([{ conversationId: 'c' }])
  expect(seen[0]).not.toHaveProperty('personId')
})
