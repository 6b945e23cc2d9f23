import { expect, test } from 'vitest'
import {
  createSuccessResult,
  type AnswerQuestion,
  type ContentBlock,
  type ToolCall,
  type ToolContext,
  type ToolResult,
} from '@toolblocks/protocol'
import { createToolExecutor } from './create-tool-executor.ts'
import { answering, makeCall, context, echo, run, getText } from './executor.support.ts'
import type { ToolEntry } from './tool-entry.ts'

test('a call runs, and its result has the call id and the outcome', async () => {
  const seen = { calls: [], contexts: [] }
  const result = await run(
    { tool: echo(seen), policy: 'unattended' },
    makeCall('echo', { text: 'a' }),
  )
  expect(result).toEqual({
    id: 'call-1',
    content: [{ type: 'text', text: '{"text":"a","times":1}' }],
    isError: false,
    metadata: { outcome: 'completed' },
  })
})

test('an unknown tool is an error that names the existing tools', async () => {
  const result = await run(answering(createSuccessResult([])), makeCall('anwser'))
  expect(result).toMatchObject({ id: 'call-1', isError: true, metadata: { outcome: 'failed' } })
  expect(getText(result)).toBe('There is no tool "anwser". The tools are: answer.')
})

test.for(['', ' '])('a call whose name is %j is an error that asks for a name', async (name) => {
  const result = await run(answering(createSuccessResult([])), makeCall(name))
  expect(result).toMatchObject({ id: 'call-1', isError: true, metadata: { outcome: 'failed' } })
  expect(getText(result)).toBe(
    'The call has no name of a tool, and was not run. Make it again with the name of a tool. The tools are: answer.',
  )
})

test('two tools with one name are refused when the executor is created', () => {
  const entry = answering(createSuccessResult([]))
  expect(() => createToolExecutor({ tools: [entry, entry] })).toThrow(
    expect.objectContaining({ code: 'duplicate-tool' }),
  )
})

test('definitions show the tools to a model, without their functions', () => {
  const tool = { ...echo({ calls: [], contexts: [] }), title: 'Echo', summary: 'Says it again.' }
  expect(createToolExecutor({ tools: [{ tool }] }).definitions()).toEqual([
    { name: 'echo', title: 'Echo', summary: 'Says it again.', inputSchema: tool.inputSchema },
  ])
})

test('invalid arguments are an error that names each field, what was expected and what came', async () => {
  const seen = { calls: [], contexts: [] }
  const entry: ToolEntry = { tool: echo(seen), policy: 'unattended' }
  const result = await run(entry, makeCall('echo', { times: 'often', txt: 'a' }))
  expect(result).toMatchObject({ isError: true, metadata: { outcome: 'failed' } })
  expect(getText(result).split('\n')).toEqual([
    'Invalid arguments for the tool "echo"; the call was not run.',
    '- /text: is required and missing; expected string',
    '- /txt: is not a known property; expected only "text" or "times"',
    '- /times: expected integer, got string "often"',
    'Correct these arguments and call the tool again.',
  ])
  expect(seen.calls).toEqual([])
})

test('a number written as a string is read as the number that the schema requires', async () => {
  const seen = { calls: [] as ToolCall[], contexts: [] }
  await run({ tool: echo(seen), policy: 'unattended' }, makeCall('echo', { text: '7', times: '3' }))
  expect(seen.calls[0]?.arguments).toEqual({ text: '7', times: 3 })
})

test('the arguments of a server’s tool are checked but not changed', async () => {
  const seen = { calls: [] as ToolCall[], contexts: [] }
  const entry: ToolEntry = { tool: echo(seen), policy: 'unattended', arguments: 'as-given' }
  await run(entry, makeCall('echo', { text: 'a' }))
  expect(seen.calls[0]?.arguments).toEqual({ text: 'a' })
  expect(await run(entry, makeCall('echo', { text: 'a', times: '3' }))).toMatchObject({
    isError: true,
  })
})

test('a default of the host is sent to a server, and nothing else is added', async () => {
  const seen = { calls: [] as ToolCall[], contexts: [] }
  const entry: ToolEntry = {
    tool: echo(seen),
    policy: 'unattended',
    arguments: 'as-given',
    defaults: { properties: { text: { default: 'said by the host' } } },
  }
  await run(entry, makeCall('echo', {}))
  await run(entry, makeCall('echo', { text: 'a' }))
  expect(seen.calls.map((call) => call.arguments)).toEqual([
    { text: 'said by the host' },
    { text: 'a' },
  ])
})

test('arguments whose schema cannot be checked go to the tool, with a warning', async () => {
  const entry = answering(createSuccessResult([]))
  const tool = { ...entry.tool, inputSchema: { $ref: 'https://example.com/schema.json' } }
  const result = await run({ ...entry, tool })
  expect(result.isError).toBe(false)
  expect(result.metadata?.warnings).toEqual([
    {
      path: '/arguments/$ref',
      message:
        'The arguments were not checked: the schema refers to "https://example.com/schema.json"; only "#" and "#/..." in the same schema are followed',
      code: 'arguments-unchecked',
    },
  ])
})

test('a tool receives its options, only answers that it asked for, and one port to ask instead of the ports to people', async () => {
  const seen = { calls: [], contexts: [] as ToolContext[] }
  const entry: ToolEntry = { tool: echo(seen), policy: 'unattended', options: { depth: 2 } }
  const ask = { user: async () => ({ action: 'decline' }) as const }
  await run(entry, makeCall('echo', { text: 'a' }), {
    ask,
    answers: { confirm: true },
    conversationId: 'c',
  })
  expect(seen.contexts[0]).toEqual({
    ...context,
    conversationId: 'c',
    answers: {},
    ask: expect.any(Function),
    options: { depth: 2 },
  })
})

test('an error that a tool throws is a failed result', async () => {
  const result = await run(answering(async () => await Promise.reject(new Error('no disk'))))
  expect(result).toMatchObject({ isError: true, metadata: { outcome: 'failed' } })
  expect(getText(result)).toBe('The call of "answer" failed.\nno disk')
})

test('an error that a tool throws after an abort is a cancelled result', async () => {
  const controller = new AbortController()
  controller.abort()
  const entry = answering(async () => await Promise.reject(new Error('aborted')))
  const result = await run(entry, undefined, { signal: controller.signal })
  expect(result.metadata?.outcome).toBe('cancelled')
})

test('a returned value that is not a result is a failure that says what was expected', async () => {
  const result = await run(answering({ text: 'hello' } as unknown as ToolResult))
  expect(result).toMatchObject({ isError: true, metadata: { outcome: 'failed' } })
  expect(getText(result)).toBe(
    'The tool "answer" returned a value that is not a result; expected {content: [...], isError: true or false}.',
  )
})

test.for([
  [{ content: [], isError: false }, 'completed', false],
  [{ content: [], isError: true }, 'failed', true],
  [{ content: [], isError: true, metadata: { outcome: 'timeout' } }, 'timeout', true],
  [{ content: [], isError: false, metadata: { outcome: 'denied' } }, 'denied', true],
  [{ content: [], isError: true, metadata: { outcome: 'completed' } }, 'failed', true],
] as const)(
  'isError is false only if the outcome is completed: %j',
  async ([result, outcome, isError]) => {
    expect(await run(answering(result))).toMatchObject({ isError, metadata: { outcome } })
  },
)

const question: ContentBlock = {
  type: 'question',
  question: { id: 'confirm', text: 'Overwrite?', schema: { type: 'boolean' } },
}
const asker: ToolEntry = {
  policy: 'unattended',
  tool: {
    name: 'asker',
    inputSchema: true,
    execute: async (_call, { answers }) =>
      createSuccessResult(
        'confirm' in answers
          ? [{ type: 'text', text: `confirm is ${JSON.stringify(answers['confirm'])}` }]
          : [{ type: 'text', text: 'secret plan' }, question],
      ),
  },
}

test('a question goes to the user, and the call runs again with the answer', async () => {
  const user: AnswerQuestion = async () => ({ action: 'accept', value: true })
  const result = await run(asker, undefined, { ask: { user } })
  expect(getText(result)).toBe('confirm is true')
})

test('a route of the tool decides who answers', async () => {
  const user: AnswerQuestion = async () => ({ action: 'accept', value: true })
  const entry: ToolEntry = { ...asker, routes: { confirm: { answer: false } } }
  expect(getText(await run(entry, undefined, { ask: { user } }))).toBe('confirm is false')
})

test('a result with questions is not final: the model learns the question, and that it has no answer', async () => {
  const result = await run(asker)
  expect(result).toMatchObject({ isError: true, metadata: { outcome: 'unanswered' } })
  expect(getText(result)).toContain(
    'The tool asked "Overwrite?" (confirm), and nobody could answer it',
  )
  const returned = await run(asker, undefined, { unanswered: 'return' })
  expect(returned).toMatchObject({ isError: true, metadata: { outcome: 'unanswered' } })
  expect(returned.content).toHaveLength(2)
})

test('every question is recorded with its answer', async () => {
  const events: string[] = []
  const executor = createToolExecutor({
    tools: [asker],
    recordInquiry: ({ type, id }) => void events.push(`${type} ${id}`),
  })
  await executor.execute(makeCall('asker'), context)
  expect(events).toEqual(['question call-1.confirm.1', 'answer call-1.confirm.1'])
})

test.for([
  ['in-turn', 1],
  ['at-once', 3],
] as const)(
  'people are asked %s about the approvals and questions of parallel calls: %i at a time',
  async ([askPeople, expected]) => {
    let open = 0
    const most: number[] = []
    async function takeTime(): Promise<void> {
      open += 1
      most.push(open)
      await new Promise((next) => setImmediate(next))
      open -= 1
    }
    const executor = createToolExecutor({
      tools: [{ ...asker, policy: 'ask' }],
      askPeople,
      approve: async () => takeTime().then(() => ({ decision: 'allowed' })),
    })
    const user: AnswerQuestion = async () =>
      takeTime().then(() => ({ action: 'accept', value: true }))
    await Promise.all(
      [1, 2, 3].map(() => executor.execute(makeCall('asker'), { ...context, ask: { user } })),
    )
    expect([most.length, Math.max(...most)]).toEqual([6, expected])
  },
)

test('calls run in parallel, and a failed one does not affect the others', async () => {
  const gate = Promise.withResolvers<void>()
  const slow = answering(async () => gate.promise.then(() => createSuccessResult([])))
  const execute = async (): Promise<ToolResult> => {
    gate.resolve()
    throw new Error('broken')
  }
  const fast: ToolEntry = { ...slow, tool: { name: 'fast', inputSchema: true, execute } }
  const executor = createToolExecutor({ tools: [slow, fast] })
  const results = await Promise.all([
    executor.execute(makeCall('answer'), context),
    executor.execute(makeCall('fast'), context),
  ])
  expect(results.map(({ isError }) => isError)).toEqual([false, true])
})

test('tools may change during the life of the executor; a running call keeps its tool', async () => {
  const gate = Promise.withResolvers<ToolResult>()
  const executor = createToolExecutor({ tools: [answering(async () => await gate.promise)] })
  const running = executor.execute(makeCall('answer'), context)
  const other = { ...answering(createSuccessResult([])).tool, name: 'other' }
  executor.setTools([{ tool: other, policy: 'unattended' }])
  expect(executor.definitions().map(({ name }) => name)).toEqual(['other'])
  expect((await executor.execute(makeCall('answer'), context)).isError).toBe(true)
  gate.resolve(createSuccessResult([{ type: 'text', text: 'from the old tool' }]))
  expect(getText(await running)).toBe('from the old tool')
})

test('invalid tools change nothing', () => {
  const entry = answering(createSuccessResult([]))
  const executor = createToolExecutor({ tools: [entry] })
  expect(() => executor.setTools([entry, entry])).toThrow('Two tools are named "answer"')
  expect(executor.definitions()).toHaveLength(1)
})

test('each wait for a person is wrapped by the host, with its call', async () => {
  const waits: string[] = []
  const executor = createToolExecutor({
    tools: [{ ...asker, policy: 'ask' }],
    approve: async () => ({ decision: 'allowed' }),
    wrapWait: async ({ callId, conversationId }, wait) => {
      waits.push(`${callId} of ${conversationId} waits`)
      const value = await wait()
      waits.push(`${callId} continues`)
      return value
    },
  })
  const user: AnswerQuestion = async () => ({ action: 'accept', value: true })
  const result = await executor.execute(makeCall('asker'), {
    ...context,
    conversationId: 'chat',
    ask: { user },
  })
  expect(getText(result)).toBe('confirm is true')
  const once = ['call-1 of chat waits', 'call-1 continues']
  expect(waits).toEqual([...once, ...once])
})

test('one live tool among others is enough to offer await to a model', () => {
  const { tool } = answering(createSuccessResult([]))
  const spawn = async (): Promise<never> => Promise.reject(new Error('not used'))
  const live = { tool: { ...tool, name: 'live', spawn } }
  const getNames = (...tools: ToolEntry[]): string[] =>
    createToolExecutor({ tools })
      .definitions()
      .map(({ name }) => name)
  expect(getNames({ tool }, live)).toEqual(['answer', 'live', 'await'])
  expect(getNames({ tool })).toEqual(['answer'])
})
