import { PNG } from '../../formatter/src/testing/every-kind.support.ts'
import type { ToolContext, ToolResult } from '@toolblocks/protocol'
import { createToolExecutor } from '@toolblocks/tool-executor'
import { dynamicTool, jsonSchema, tool, type Tool } from 'ai'
import { expect, test } from 'vitest'
import { fromAiSdkTool } from './from-ai-sdk-tool.ts'
import type { AiSdkToolOutput } from './tools/model-output.ts'
import { createFixedTool, createTools } from './testing/models.support.ts'

const ANY = jsonSchema<Record<string, unknown>>({ type: 'object' })

async function run(
  aiSdkTool: Tool,
  values: Record<string, unknown> = {},
  more: Partial<ToolContext> = {},
): Promise<ToolResult> {
  const { signal } = new AbortController()
  const made = await fromAiSdkTool('given', aiSdkTool)
  return await made.execute(
    { id: 'c', name: 'given', arguments: values },
    { root: '/w', signal, answers: {}, ...more },
  )
}

test('a tool keeps its schema, title and description', async () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } } } as const
  const aiSdkTool = tool({
    title: 'Give',
    description: 'Gives.',
    inputSchema: jsonSchema<{ a: string }>(async () => schema),
    execute: async ({ a }) => a,
  })
  expect(await fromAiSdkTool('give', aiSdkTool)).toMatchObject({
    name: 'give',
    title: 'Give',
    description: 'Gives.',
    inputSchema: schema,
  })
  const described = dynamicTool({
    description: () => 'Now.',
    inputSchema: ANY,
    execute: async () => 1,
  })
  expect(await fromAiSdkTool('d', described)).toMatchObject({ description: 'Now.' })
})

test('its schema checks and transforms the arguments', async () => {
  const inputSchema = jsonSchema<{ n: number }>(
    { type: 'object' },
    {
      validate: (value) => {
        const { n } = value as { n: unknown }
        return typeof n === 'number'
          ? { success: true, value: { n: n * 2 } }
          : { success: false, error: new Error('n must be a number') }
      },
    },
  )
  const double = tool({ inputSchema, execute: async ({ n }) => n })
  expect(await run(double, { n: 2 })).toMatchObject({ structuredContent: 4, isError: false })
  expect(await run(double, { n: 'x' })).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('n must be a number') }],
  })
})

test('an output without `toModelOutput` is a text, or structure with its JSON', async () => {
  const returning = (value: unknown): Tool => tool({ inputSchema: ANY, execute: async () => value })
  expect(await run(returning('Hi.'))).toEqual({
    content: [{ type: 'text', text: 'Hi.' }],
    isError: false,
  })
  expect(await run(returning({ at: new Date(0) }))).toEqual({
    content: [{ type: 'text', text: '{"at":"1970-01-01T00:00:00.000Z"}' }],
    isError: false,
    structuredContent: { at: '1970-01-01T00:00:00.000Z' },
  })
  expect(await run(returning(undefined))).toEqual({ content: [], isError: false })
})

const OUTPUTS: readonly (readonly [string, AiSdkToolOutput, Partial<ToolResult>])[] = [
  ['text', { type: 'text', value: 'a' }, { content: [{ type: 'text', text: 'a' }] }],
  ['json', { type: 'json', value: [1] }, { structuredContent: [1] }],
  ['error-text', { type: 'error-text', value: 'no' }, { isError: true }],
  [
    'error-json',
    { type: 'error-json', value: { a: 1 } },
    { isError: true, structuredContent: { a: 1 } },
  ],
  [
    'execution-denied',
    { type: 'execution-denied', reason: 'No.' },
    { isError: true, metadata: { outcome: 'denied' } },
  ],
]

test.for(OUTPUTS)('what `toModelOutput` returns is kept: %s', async ([, output, result]) => {
  const aiSdkTool = tool({
    inputSchema: ANY,
    execute: async () => 'x',
    toModelOutput: () => output,
  })
  expect(await run(aiSdkTool)).toMatchObject(result)
})

test.for<AiSdkToolOutput>([
  { type: 'text', value: 'Three boats.' },
  { type: 'json', value: { said: 'Three boats.' } },
  { type: 'content', value: [{ type: 'text', text: 'Three boats.' }] },
])('the structure of an output is kept beside what a model receives: %j', async (output) => {
  const seen: unknown[] = []
  const aiSdkTool = tool({
    inputSchema: ANY,
    execute: async () => ({ boats: 3 }),
    toModelOutput: (about) => {
      seen.push(about)
      return output
    },
  })
  expect(await run(aiSdkTool, { harbor: 'north' })).toMatchObject({
    isError: false,
    structuredContent: { boats: 3 },
    content: [{ type: 'text', text: expect.stringContaining('Three boats.') }],
  })
  expect(seen).toEqual([{ toolCallId: 'c', input: { harbor: 'north' }, output: { boats: 3 } }])
})

test('the parts of a content are blocks', async () => {
  const bytes = Uint8Array.from(Buffer.from(PNG, 'base64'))
  const value: Extract<AiSdkToolOutput, { type: 'content' }>['value'] = [
    { type: 'text', text: 'See:' },
    { type: 'file', mediaType: 'image/png', data: { type: 'data', data: bytes } },
    { type: 'file', mediaType: 'audio/wav', data: { type: 'data', data: PNG } },
    {
      type: 'file',
      mediaType: 'application/pdf',
      filename: 'a b.pdf',
      data: { type: 'data', data: PNG },
    },
    { type: 'file', mediaType: 'text/plain', data: { type: 'text', text: 'T' } },
    {
      type: 'file',
      mediaType: 'image/png',
      data: { type: 'url', url: new URL('https://a.test/b') },
    },
    { type: 'custom', providerOptions: { x: { y: 1 } } },
  ]
  const aiSdkTool = tool({
    inputSchema: ANY,
    execute: async () => ({ kept: true }),
    toModelOutput: () => ({ type: 'content', value }),
  })
  expect(await run(aiSdkTool)).toEqual({
    isError: false,
    structuredContent: { kept: true },
    content: [
      { type: 'text', text: 'See:' },
      { type: 'image', data: PNG, mimeType: 'image/png' },
      { type: 'audio', data: PNG, mimeType: 'audio/wav' },
      {
        type: 'resource',
        resource: {
          uri: 'ai-sdk:file/4/a%20b.pdf',
          mimeType: 'application/pdf',
          blob: PNG,
          name: 'a b.pdf',
        },
      },
      {
        type: 'resource',
        resource: { uri: 'ai-sdk:file/5', mimeType: 'text/plain', text: 'T' },
      },
      {
        type: 'resource_link',
        uri: 'https://a.test/b',
        name: 'https://a.test/b',
        mimeType: 'image/png',
      },
      {
        type: 'text',
        text: '[A part of type custom that only its provider can read]',
        _meta: { 'ai-sdk/part': value[6] },
      },
    ],
  })
})

test('an error is a failed result, also one of the schema', async () => {
  const failing = dynamicTool({
    inputSchema: ANY,
    execute: async () => await Promise.reject(new Error('no disk')),
  })
  expect(await run(failing)).toMatchObject({
    isError: true,
    content: [{ text: 'The call of "given" failed.' }, { text: 'no disk' }],
  })
})

test('preliminary results are progress, and the last one is the result', async () => {
  const counting = tool({
    inputSchema: ANY,
    async *execute() {
      yield 'one'
      yield { two: 2 }
    },
  })
  const progress: unknown[] = []
  const result = await run(counting, {}, { onProgress: (each) => void progress.push(each) })
  expect(result).toMatchObject({ structuredContent: { two: 2 } })
  expect(progress).toEqual([
    { progress: 1, message: 'one' },
    { progress: 2, message: '{"two":2}' },
  ])
})

test('a tool receives the signal and the id of its call', async () => {
  const controller = new AbortController()
  const received: unknown[] = []
  const looking = tool({
    inputSchema: ANY,
    execute: async (_, { abortSignal, toolCallId }) => {
      received.push(abortSignal, toolCallId)
      return ''
    },
  })
  await run(looking, {}, { signal: controller.signal })
  expect(received).toEqual([controller.signal, 'c'])
})

test('a tool that went to the AI SDK and came back returns the same blocks', async () => {
  const result: ToolResult = {
    content: [{ type: 'text', text: 'A pixel:' }],
    isError: false,
    structuredContent: { a: 1 },
  }
  const there = await createTools([{ tool: createFixedTool('x', result), policy: 'unattended' }])
  const back = await fromAiSdkTool('x', there.tools['x'] as Tool)
  const executor = createToolExecutor({ tools: [{ tool: back, policy: 'unattended' }] })
  const { signal } = new AbortController()
  const returned = await executor.execute(
    { id: 'c', name: 'x', arguments: {} },
    { root: '/w', signal },
  )
  expect(returned).toMatchObject(result)
})
