import { createSuccessResult, type ToolResult } from '@toolblocks/protocol'
import {
  anthropicProfile,
  openAiCompatibleProfile,
  openAiResponsesProfile,
} from '@toolblocks/formatter/internal'
import { generateText, isStepCount, streamText } from 'ai'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { ALL_BYTES, EVERY_KIND } from '../../../formatter/src/testing/every-kind.support.ts'
import { makePng } from '../../../formatter/src/pictures/pictures.support.ts'
import { prepareModel } from './prepare-model.ts'
import type { AiSdkToolsOptions } from './to-ai-sdk-tools.ts'
import {
  createFixedTool,
  createTools,
  getOutputs,
  PROVIDERS,
  type ProviderName,
  runTurn,
  startModel,
} from '../testing/models.support.ts'

const NAMES = Object.keys(PROVIDERS) as ProviderName[]

/** Returns the body of the request that contains a result, and the output for the page. */
async function sendResult(
  name: ProviderName,
  result: ToolResult,
): Promise<{ body: Readonly<Record<string, unknown>>; output: unknown }> {
  const { provider, model } = await startModel(name, [{ calls: [['look', {}]] }, { text: 'Seen.' }])
  const made = await createTools([{ tool: createFixedTool('look', result), policy: 'unattended' }])
  const { parts } = await runTurn(made, { model })
  return { body: provider.requests[1] ?? {}, output: getOutputs(parts)[0] }
}

/** Every string of a value with its path. */
function* getStrings(value: unknown, path = ''): Generator<readonly [string, string]> {
  if (typeof value === 'string') yield [path, value]
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) yield* getStrings(inner, `${path}/${key}`)
}

/** The paths of the media of a request. */
function findMedia(body: object): string[] {
  return [...getStrings(body)]
    .filter(([, text]) =>
      ALL_BYTES.some((data) => text === data || (text.startsWith('data:') && text.endsWith(data))),
    )
    .map(([path]) => path)
}

const MEDIA: Record<ProviderName, Record<string, readonly RegExp[]>> = {
  Anthropic: {
    image: [/^\/messages\/\d\/content\/0\/content\/1\/source\/data$/],
    pdf: [/^\/messages\/\d\/content\/0\/content\/1\/source\/data$/],
    audio: [],
    'error with image': [/^\/messages\/\d\/content\/\d\/source\/data$/],
  },
  'OpenAI Responses': {
    image: [/^\/input\/\d\/output\/1\/image_url$/],
    pdf: [/^\/input\/\d\/output\/1\/file_data$/],
    audio: [],
    'error with image': [/^\/input\/\d\/content\/1\/image_url$/],
  },
  'OpenAI Chat': {
    image: [/^\/messages\/3\/content\/1\/image_url\/url$/],
    pdf: [/^\/messages\/3\/content\/1\/file\/file_data$/],
    audio: [],
    'error with image': [/^\/messages\/3\/content\/1\/image_url\/url$/],
  },
  Google: {
    image: [/functionResponse\/parts\/0\/inlineData\/data$/],
    pdf: [/functionResponse\/parts\/0\/inlineData\/data$/],
    audio: [/^\/contents\/\d\/parts\/\d\/inlineData\/data$/],
    'error with image': [/^\/contents\/\d\/parts\/\d\/inlineData\/data$/],
  },
  'OpenAI-compatible': {
    image: [/^\/messages\/3\/content\/1\/image_url\/url$/],
    pdf: [],
    audio: [],
    'error with image': [/^\/messages\/3\/content\/1\/image_url\/url$/],
  },
}

test.for(
  NAMES.flatMap((name) =>
    Object.entries(MEDIA[name]).map(([kind, paths]) => ({ name, kind, paths })),
  ),
)(
  '$name receives the media of a tool where it accepts them: $kind',
  async ({ name, kind, paths }) => {
    const { body } = await sendResult(name, EVERY_KIND[kind]!.result)
    const media = findMedia(body)
    expect(media).toHaveLength(paths.length)
    for (const [index, path] of paths.entries()) expect(media[index]).toMatch(path)
    // What is omitted is said, and so is a failure.
    expect(JSON.stringify(body).includes('was omitted: ')).toBe(paths.length === 0)
    expect(JSON.stringify(body).includes('The tool call failed')).toBe(kind === 'error with image')
  },
)

test('a picture that is too large is scaled for the provider and stays whole for the page, unless `pictures` is "as-is"', async () => {
  const data = makePng(3456, 100)
  const result = createSuccessResult([{ type: 'image', data, mimeType: 'image/png' }])
  const look = async (options: Pick<AiSdkToolsOptions, 'pictures'>) => {
    const { provider, model } = await startModel('Anthropic', [
      { calls: [['look', {}]] },
      { text: 'Seen.' },
    ])
    const tool = { tool: createFixedTool('look', result), policy: 'unattended' } as const
    const { parts } = await runTurn(await createTools([tool], options), { model })
    const strings = [...getStrings(provider.requests[1])]
    const [, sent] = strings.find(([path]) => path.endsWith('/source/data')) ?? []
    const isNoted = strings.some(([, text]) =>
      text.includes('was scaled from 3456 × 100 px to 2000 × 58 px'),
    )
    return { sent, isNoted, shown: getOutputs(parts)[0] }
  }
  const scaled = await look({})
  expect(scaled).toMatchObject({ isNoted: true, shown: { content: result.content } })
  // The width in the header of a PNG.
  expect(Buffer.from(scaled.sent ?? '', 'base64').readUInt32BE(16)).toBe(2000)
  expect(await look({ pictures: 'as-is' })).toMatchObject({ sent: data, isNoted: false })
})

test.for(NAMES)('%s receives no base64 as text, for any kind of result', async (name) => {
  for (const { result } of Object.values(EVERY_KIND)) {
    const { body } = await sendResult(name, result)
    const read = [...getStrings(body)].filter(([, text]) =>
      ALL_BYTES.some((data) => text.includes(data) && text.length > data.length + 60),
    )
    expect(read).toEqual([])
  }
})

test.for(NAMES)('%s receives structure, links and text files as text', async (name) => {
  const { body } = await sendResult(name, {
    ...createSuccessResult([
      {
        type: 'resource',
        resource: { uri: 'file:///a.rs', mimeType: 'text/rust', text: 'fn a()' },
      },
      { type: 'resource_link', uri: 'file:///b.rs', name: 'b.rs' },
    ]),
    structuredContent: { found: 2 },
  })
  const text = [...getStrings(body)].map(([, each]) => each).join('\n')
  expect(text).toContain('```rs\nfn a()\n```')
  expect(text).toContain('file:///b.rs')
  expect(text).toContain('{"found":2}')
})

test.for(NAMES)('a page receives the complete result, whatever %s accepts', async (name) => {
  const { result } = EVERY_KIND['error with image']!
  const { output } = await sendResult(name, result)
  expect(output).toMatchObject({ content: result.content, isError: true })
})

test.for(NAMES)(
  '%s receives schemas that it accepts, and arguments come back under their own names',
  async (name) => {
    const inputSchema = {
      oneOf: [
        { type: 'object', properties: { 'a b': { type: 'string' } }, required: ['a b'] },
        { type: 'object', properties: { c: { type: 'array' } }, required: ['c'] },
      ],
    }
    const calls: unknown[] = []
    const tool = createFixedTool('fs.read', createSuccessResult([]), {
      inputSchema,
      execute: async (call) => {
        calls.push(call)
        return createSuccessResult([])
      },
    })
    const { provider, model } = await startModel(name, [{ calls: [['fs_read', { a_b: 'x' }]] }])
    const made = await createTools([{ tool, policy: 'unattended' }])
    const { messages } = await runTurn(made, { model })
    expect(calls).toMatchObject([{ name: 'fs.read', arguments: { 'a b': 'x' } }])
    const tools = JSON.stringify(provider.requests[0]?.['tools'])
    expect(tools).toContain('fs_read')
    expect(tools).not.toContain('oneOf')
    // The next request has the names of the provider again.
    expect(JSON.stringify(provider.requests[1])).toContain('a_b')
    expect(JSON.stringify(messages)).toContain('a b')
  },
)

test.for(NAMES)('%s receives the reason of a denial as one', async (name) => {
  const { provider, model } = await startModel(name, [{ text: 'Seen.' }])
  const call = { toolCallId: 'c1', toolName: 'book' }
  const turn = streamText({
    model: prepareModel(model),
    messages: [
      { role: 'user', content: 'Book.' },
      { role: 'assistant', content: [{ ...call, type: 'tool-call', input: {} }] },
      {
        role: 'tool',
        content: [
          {
            ...call,
            type: 'tool-result',
            output: { type: 'execution-denied', reason: 'Too expensive.' },
          },
        ],
      },
    ],
  })
  await turn.consumeStream()
  const texts = [...getStrings(provider.requests[0] ?? {})].map(([, text]) => text)
  expect(texts).toContainEqual(expect.stringContaining('The call was denied: Too expensive.'))
})

test('`generateText` sends and reads the same as a stream', async () => {
  const bodies: Readonly<Record<string, unknown>>[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    bodies.push(JSON.parse(body))
    const call = {
      id: 'c',
      type: 'function',
      function: { name: 'fs_read', arguments: '{"a_b":1}' },
    }
    const message = bodies.length === 1 ? { tool_calls: [call] } : { content: 'Seen.' }
    const finish_reason = bodies.length === 1 ? 'tool_calls' : 'stop'
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify({
        id: 'x',
        created: 0,
        model: 'm',
        choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }],
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      }),
    )
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  })
  const { port } = server.address() as AddressInfo
  const calls: unknown[] = []
  const { result } = EVERY_KIND['image']!
  const tool = createFixedTool('fs.read', result, {
    inputSchema: { type: 'object', properties: { 'a b': { type: 'integer' } } },
    execute: async (call) => {
      calls.push(call)
      return result
    },
  })
  const made = await createTools([{ tool, policy: 'unattended' }])
  const { text } = await generateText({
    model: made.prepareModel(PROVIDERS['OpenAI Chat'][1](`http://127.0.0.1:${port}/v1`)),
    tools: made.tools,
    toolApproval: made.toolApproval,
    prompt: 'Go.',
    stopWhen: isStepCount(2),
  })
  expect(text).toBe('Seen.')
  expect(calls).toMatchObject([{ name: 'fs.read', arguments: { 'a b': 1 } }])
  expect(findMedia(bodies[1] ?? {})).toEqual(['/messages/3/content/1/image_url/url'])
})

test('a profile of the host replaces the one of the provider', async () => {
  const { provider, model } = await startModel('OpenAI-compatible', [{ calls: [['look', {}]] }])
  const made = await createTools(
    [{ tool: createFixedTool('look', EVERY_KIND['image']!.result), policy: 'unattended' }],
    { profile: openAiCompatibleProfile },
  )
  await runTurn(made, { model })
  expect(findMedia(provider.requests[1] ?? {})).toEqual([])
})

test('with a profile whose failed results carry media, the media of a failed result follow it', async () => {
  const { provider, model } = await startModel('OpenAI Responses', [{ calls: [['look', {}]] }])
  const { result } = EVERY_KIND['error with image']!
  const made = await createTools(
    [{ tool: createFixedTool('look', result), policy: 'unattended' }],
    { profile: openAiResponsesProfile },
  )
  await runTurn(made, { model })
  const [path, ...more] = findMedia(provider.requests[1] ?? {})
  expect(path).toMatch(MEDIA['OpenAI Responses']['error with image']![0]!)
  expect(more).toEqual([])
})

test('a request has no more media than its provider accepts; the oldest are omitted', async () => {
  const { provider, model } = await startModel('Anthropic', [
    { calls: [['look', {}]] },
    { calls: [['look', {}]] },
  ])
  const made = await createTools(
    [{ tool: createFixedTool('look', EVERY_KIND['image']!.result), policy: 'unattended' }],
    { profile: { ...anthropicProfile, inRequest: { maxItems: 1 } } },
  )
  await runTurn(made, { model })
  expect(findMedia(provider.requests[2] ?? {})).toEqual([
    '/messages/4/content/0/content/1/source/data',
  ])
})

test('a model that is not prepared receives text, and a note for each of its media', async () => {
  const { provider, model } = await startModel('OpenAI Chat', [{ calls: [['look', {}]] }])
  const made = await createTools([
    { tool: createFixedTool('look', EVERY_KIND['image']!.result), policy: 'unattended' },
  ])
  await runTurn({ ...made, prepareModel: (unprepared) => unprepared as typeof model }, { model })
  const body = provider.requests[1] ?? {}
  expect(findMedia(body)).toEqual([])
  expect(JSON.stringify(body)).toContain('was omitted')
})

test('the tools and results of others are sent as they are', async () => {
  const { provider, model } = await startModel('OpenAI Chat', [{ text: 'Yes.' }])
  const made = await createTools([])
  await runTurn(made, {
    model,
    messages: [
      { role: 'user', content: 'Go.' },
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'other', input: { x: 1 } }],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'a',
            toolName: 'other',
            output: { type: 'json', value: { y: 2 } },
          },
        ],
      },
    ],
  })
  expect(provider.requests[0]?.['messages']).toMatchObject([
    { role: 'user' },
    { tool_calls: [{ id: 'a', function: { name: 'other', arguments: '{"x":1}' } }] },
    { role: 'tool', tool_call_id: 'a', content: '{"y":2}' },
  ])
})

test('two calls of a response with the same id get their own results, under different ids', async () => {
  const { provider, model } = await startModel('OpenAI Chat', [{ text: 'Yes.' }])
  const made = await createTools([])
  const call = { toolCallId: 'a', toolName: 'other' }
  await runTurn(made, {
    model,
    messages: [
      { role: 'user', content: 'Go.' },
      {
        role: 'assistant',
        content: [1, 2].map((x) => ({ type: 'tool-call', ...call, input: { x } }) as const),
      },
      {
        role: 'tool',
        content: [1, 2].map(
          (y) =>
            ({ type: 'tool-result', ...call, output: { type: 'json', value: { y } } }) as const,
        ),
      },
    ],
  })
  const [, asked, ...results] = JSON.parse(JSON.stringify(provider.requests[0]?.['messages']))
  const [first, second] = asked.tool_calls
  expect(first.id).not.toBe(second.id)
  expect([first, second]).toMatchObject([
    { function: { arguments: '{"x":1}' } },
    { function: { arguments: '{"x":2}' } },
  ])
  expect(results).toEqual([
    { role: 'tool', tool_call_id: first.id, content: '{"y":1}' },
    { role: 'tool', tool_call_id: second.id, content: '{"y":2}' },
  ])
})
