import { createSuccessResult, type Tool } from '@toolblocks/protocol'
import { createToolExecutor } from '@toolblocks/tool-executor'
import {
  asSchema,
  convertToModelMessages,
  createUIMessageStream,
  isStepCount,
  readUIMessageStream,
  streamText,
  toUIMessageStream,
  ToolLoopAgent,
} from 'ai'
import { expect, expectTypeOf, test } from 'vitest'
import {
  createFixedTool,
  createTools,
  ECHO,
  getOutputs,
  runTurn,
  startModel,
} from '../testing/models.support.ts'
import { toAiSdkTools, type ToolblocksUIMessage } from './to-ai-sdk-tools.ts'

const RESULT = createSuccessResult([{ type: 'text', text: 'It is done.' }])

test('each definition of an executor is a tool, under a name that providers accept', async () => {
  const { tools, toolApproval } = await createTools([
    { tool: createFixedTool('fs.read', RESULT, { title: 'Read', description: 'Reads.' }) },
    { tool: { ...ECHO, description: 'Long.' } },
  ])
  expect(Object.keys(tools)).toEqual(['fs_read', 'echo', 'describe_tools'])
  expect(Object.keys(toolApproval)).toEqual(Object.keys(tools))
  expect(tools['fs_read']).toMatchObject({ title: 'Read', description: 'Reads.' })
  expect(tools['echo']).toMatchObject({ description: 'Returns its text.' })
})

test('a definition that is not valid JSON Schema is corrected, so no provider refuses the request', async () => {
  const inputSchema = { type: 'object', properties: { a: { type: 'str' }, required: ['a'] } }
  const { tools } = await createTools([{ tool: { ...ECHO, inputSchema } }])
  expect(await asSchema(tools['echo']?.inputSchema).jsonSchema).toEqual({
    type: 'object',
    properties: { a: { type: 'string' } },
    required: ['a'],
  })
})

test('an agent of the AI SDK uses the tools, and its model receives what they return', async () => {
  const { provider, model } = await startModel('Anthropic', [
    { calls: [['echo', { text: 'a' }]] },
    { text: 'Done.' },
  ])
  const { tools, toolApproval, prepareModel } = await createTools([
    { tool: ECHO, policy: 'unattended' },
  ])
  const agent = new ToolLoopAgent({ model: prepareModel(model), tools, toolApproval })
  const { fullStream } = await agent.stream({ prompt: 'Go.' })
  const text: string[] = []
  for await (const part of fullStream) if (part.type === 'text-delta') text.push(part.text)
  expect(text).toEqual(['Done.'])
  expect(provider.results()).toEqual([expect.stringContaining('Echo: a')])
})

test.for([
  [undefined, 100_000],
  [2000, 2000],
  [Infinity, 770_000],
] as const)(
  'with the maximum length %s, a model receives %s characters of a long result',
  async ([maxLength, length]) => {
    const { provider, model } = await startModel('OpenAI Chat', [{ calls: [['long', {}]] }])
    const long = createSuccessResult([{ type: 'text', text: 'x'.repeat(770_000) }])
    const format = maxLength === undefined ? {} : { maxLength }
    const made = await createTools(
      [{ tool: createFixedTool('long', long), policy: 'unattended' }],
      { format },
    )
    await runTurn(made, { model })
    const [resultText = ''] = provider.results()
    expect(Math.abs(resultText.length - length)).toBeLessThan(200)
    expect(resultText.includes('characters were left out')).toBe(maxLength !== Infinity)
  },
)

test('parallel calls run at the same time, and each has its own result', async () => {
  const { provider, model } = await startModel('OpenAI Chat', [
    {
      calls: [
        ['meet', { me: 'a', other: 'b' }],
        ['meet', { me: 'b', other: 'a' }],
      ],
    },
  ])
  const here = new Map<string, PromiseWithResolvers<void>>()
  const arrive = (name: string): PromiseWithResolvers<void> => {
    const known = here.get(name) ?? Promise.withResolvers<void>()
    here.set(name, known)
    return known
  }
  const meet: Tool = createFixedTool('meet', RESULT, {
    execute: async ({ arguments: { me, other } }) => {
      arrive(String(me)).resolve()
      await arrive(String(other)).promise
      return createSuccessResult([{ type: 'text', text: `I am ${String(me)}.` }])
    },
  })
  await runTurn(await createTools([{ tool: meet, policy: 'unattended' }]), { model })
  expect(provider.results()).toEqual(['I am a.', 'I am b.'])
})

test('a model is told what is wrong with its arguments, and the tool does not run', async () => {
  const { provider, model } = await startModel('OpenAI Chat', [{ calls: [['echo', { text: [] }]] }])
  const made = await createTools([{ tool: ECHO, policy: 'ask' }])
  const { parts } = await runTurn(made, { model })
  expect(parts.some(({ type }) => type === 'tool-approval-request')).toBe(false)
  expect(provider.results()[0]).toMatch(/Invalid arguments.*text/s)
})

test('an abort of the request aborts the call', async () => {
  const { model } = await startModel('OpenAI Chat', [{ calls: [['hang', {}]] }])
  const controller = new AbortController()
  const { promise: aborted, resolve } = Promise.withResolvers<void>()
  const hang = createFixedTool('hang', RESULT, {
    execute: async (_, { signal }) => {
      signal.addEventListener('abort', () => resolve())
      controller.abort()
      return await new Promise(() => {})
    },
  })
  const made = await createTools([{ tool: hang, policy: 'unattended' }])
  await runTurn(made, { model, abortSignal: controller.signal }).catch(() => undefined)
  await aborted
})

/** A tool that reports progress, and waits until it was seen. */
function createSlow(seen: Promise<void>): Tool {
  return createFixedTool('slow', RESULT, {
    execute: async (_, { onProgress }) => {
      onProgress?.({ progress: 1, total: 2, message: 'half' })
      await seen
      return RESULT
    },
  })
}

test('progress is a preliminary result, before the result', async () => {
  const { model } = await startModel('OpenAI Chat', [{ calls: [['slow', {}]] }])
  const seen = Promise.withResolvers<void>()
  const { tools, toolApproval } = await createTools([
    { tool: createSlow(seen.promise), policy: 'unattended' },
  ])
  const turn = streamText({ model, tools, toolApproval, prompt: 'Go.' })
  const outputs: unknown[] = []
  for await (const part of turn.fullStream) {
    if (part.type !== 'tool-result') continue
    outputs.push(part.output)
    if (part.preliminary) seen.resolve()
  }
  expect(outputs[0]).toEqual({
    content: [],
    isError: false,
    metadata: { progress: { progress: 1, total: 2, message: 'half' } },
  })
  expect(outputs.at(-1)).toMatchObject(RESULT)
})

test('without preliminary results, a call has one result', async () => {
  const { model } = await startModel('OpenAI Chat', [{ calls: [['slow', {}]] }])
  const made = await createTools([{ tool: createSlow(Promise.resolve()), policy: 'unattended' }], {
    preliminaryResults: 'none',
  })
  const { parts } = await runTurn(made, { model })
  expect(parts.filter(({ type }) => type === 'tool-result')).toHaveLength(1)
})

test('a stateful tool is spawned and aborted in several calls', async () => {
  const { provider, model } = await startModel('OpenAI Chat', [
    { calls: [['shell', { action: 'spawn', id: 's' }]] },
    { calls: [['shell', { action: 'abort', id: 's' }]] },
  ])
  const shellResult = (text: string, status: string) => ({
    ...createSuccessResult([{ type: 'text', text }]),
    _meta: { 'computer.jp/status': status },
  })
  const shell = createFixedTool('shell', RESULT, {
    spawn: async () => ({
      started: shellResult('ready', 'running'),
      fetch: async () => shellResult('more', 'running'),
      apply: async () => shellResult('applied', 'running'),
      abort: async () => shellResult('stopped', 'stopped'),
    }),
  })
  const made = await createTools([{ tool: shell, policy: 'unattended' }])
  const { parts } = await runTurn(made, { model })
  expect(getOutputs(parts)).toMatchObject([
    { metadata: { handle: { id: 's', status: 'running' } } },
    { metadata: { handle: { id: 's', status: 'stopped' } } },
  ])
  expect(provider.results()).toEqual([
    expect.stringContaining('ready'),
    expect.stringContaining('stopped'),
  ])
})

test('denied and skipped calls do not run, and the model is told why', async () => {
  const { provider, model } = await startModel('OpenAI Chat', [
    {
      calls: [
        ['denied', {}],
        ['skipped', {}],
      ],
    },
  ])
  const runs: string[] = []
  const tool = (name: string): Tool =>
    createFixedTool(name, RESULT, {
      execute: async () => {
        runs.push(name)
        return RESULT
      },
    })
  const made = await createTools([
    { tool: tool('denied'), policy: 'deny' },
    { tool: tool('skipped'), policy: 'skip' },
  ])
  const { parts } = await runTurn(made, { model })
  expect(runs).toEqual([])
  expect(parts.filter(({ type }) => type === 'tool-output-denied')).toHaveLength(2)
  expect(provider.results()).toEqual([
    expect.stringContaining('The configuration denies the tool "denied"'),
    expect.stringContaining('continue without its result'),
  ])
})

test('every option reaches its user', async () => {
  const { provider, model } = await startModel('OpenAI Chat', [{ calls: [['look', {}]] }])
  const uri = 'file:///w/sub/a.txt'
  const contexts: unknown[] = []
  const executor = createToolExecutor({
    tools: [
      {
        tool: createFixedTool('look', RESULT, {
          execute: async (_, context) => {
            contexts.push(context)
            return createSuccessResult([{ type: 'resource', resource: { uri, text: 'x' } }])
          },
        }),
        policy: 'unattended',
      },
    ],
  })
  const made = toAiSdkTools(executor, {
    context: { root: '/w', conversationId: 'c', workspaceId: 'w' },
    format: { root: '/w', resourceHeader: 'name' },
  })
  await runTurn(made, { model })
  expect(contexts).toMatchObject([{ root: '/w', conversationId: 'c', workspaceId: 'w' }])
  expect(provider.results()[0]).toContain('Resource sub/a.txt:')
})

test('a page receives complete results, which go back to a model in the next request', async () => {
  const { provider, model } = await startModel('OpenAI Chat', [
    { calls: [['echo', { text: 'a' }]] },
    { text: 'First.' },
    { text: 'Second.' },
  ])
  const { tools, toolApproval, prepareModel } = await createTools([
    { tool: ECHO, policy: 'unattended' },
  ])
  const ask = async (messages: ToolblocksUIMessage[]): Promise<ToolblocksUIMessage> => {
    const stream = createUIMessageStream<ToolblocksUIMessage>({
      originalMessages: messages,
      execute: async ({ writer }) => {
        const turn = streamText({
          model: prepareModel(model),
          tools,
          toolApproval,
          messages: await convertToModelMessages(messages, { tools }),
          stopWhen: isStepCount(3),
        })
        writer.merge(toUIMessageStream({ stream: turn.fullStream }))
      },
    })
    let last: ToolblocksUIMessage | undefined
    for await (const message of readUIMessageStream<ToolblocksUIMessage>({ stream })) last = message
    return last!
  }
  const person = (text: string): ToolblocksUIMessage => ({
    id: text,
    role: 'user',
    parts: [{ type: 'text', text }],
  })
  const first = [person('Go.')]
  const answered = await ask(first)
  const part = answered.parts.find(({ type }) => type === 'tool-echo')
  expect(part).toMatchObject({
    state: 'output-available',
    output: { content: [{ type: 'text', text: 'Echo: a' }], metadata: { outcome: 'completed' } },
  })
  await ask([...first, answered, person('Go on.')])
  expect(provider.results()).toEqual(['Echo: a'])
})

test('an output that a page has changed cannot break the request', async () => {
  const { tools } = await createTools([{ tool: ECHO }])
  for (const output of [undefined, null, 'x', { content: [{ type: 'image' }] }])
    expect(
      await tools['echo']?.toModelOutput?.({ toolCallId: 'a', input: {}, output } as never),
    ).toEqual({
      type: 'text',
      value: output === undefined ? '' : JSON.stringify(output),
    })
})

test('messages of a page know the type of each output', () => {
  expectTypeOf<
    Extract<
      ToolblocksUIMessage['parts'][number],
      { state: 'output-available'; type: `tool-${string}` }
    >['output']
  >().toHaveProperty('content')
})
