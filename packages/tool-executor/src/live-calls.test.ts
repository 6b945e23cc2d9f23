import { afterEach, describe, expect, test } from 'vitest'
import type { Tool } from '@toolblocks/protocol'
import { createToolExecutor } from './create-tool-executor.ts'
import {
  closeExecutors,
  context,
  makeExecutor,
  liveTool,
  question,
  says,
  spawn,
  text,
  withExecutor,
  getWords,
} from './live-tool.support.ts'

afterEach(closeExecutors)

test('a live tool is spawned, fetched and stops; each result has the state of the handle', async () => {
  const act = makeExecutor(
    liveTool([
      says('running', text('one')),
      says('running', text('two')),
      says('stopped', text('three')),
    ]),
  )
  const started = await act({ ...spawn, args: ['--patch'] })
  expect(started).toMatchObject({
    content: [text('[handle "a": running]'), text('one')],
    metadata: { handle: { id: 'a', status: 'running' }, outcome: 'completed' },
  })
  expect(getWords(await act({ action: 'fetch', id: 'a' }))).toBe('[handle "a": running] | two')
  expect(getWords(await act({ action: 'fetch', id: 'a' }))).toBe('[handle "a": stopped] | three')
  expect(getWords(await act({ action: 'fetch', id: 'a' }))).toBe(
    'Nothing was done: the handle "a" has stopped already.',
  )
})

test('a call without an action runs the tool once, like any other', async () => {
  const act = makeExecutor(liveTool([]))
  expect(getWords(await act({ args: [] }))).toBe('ran once')
})

test('the definition offers the declared actions, and the tool await is added', () => {
  const tool = liveTool([], { actions: ['spawn', 'fetch'] })
  const definitions = createToolExecutor({ tools: [{ tool }] }).definitions()
  expect(definitions.map(({ name }) => name)).toEqual(['staging', 'await'])
  const { inputSchema } = definitions[0] ?? {}
  expect(inputSchema).toMatchObject({
    oneOf: [
      { properties: { action: { const: 'spawn' }, id: {}, args: {} }, required: ['action', 'id'] },
      { properties: { action: { const: 'fetch' }, id: {} } },
    ],
  })
})

test('for models without oneOf the actions are one flat object', () => {
  const definitions = createToolExecutor({
    tools: [{ tool: liveTool([]) }],
    liveSchema: 'flat',
  }).definitions()
  expect(definitions[0]?.inputSchema).toMatchObject({
    type: 'object',
    properties: {
      action: { enum: ['spawn', 'fetch', 'apply', 'abort'] },
      id: {},
      input: {},
      args: {},
    },
    required: ['action', 'id'],
  })
})

test.for(['oneOf', 'flat'] as const)('in the form %s, references keep their targets', (form) => {
  const $defs = { path: { type: 'string' } }
  const inputSchema = { properties: { file: { $ref: '#/$defs/path' } }, $defs }
  const definitions = createToolExecutor({
    tools: [{ tool: liveTool([], { inputSchema }) }],
    liveSchema: form,
  }).definitions()
  expect(definitions[0]?.inputSchema).toMatchObject({ $defs })
})

test('await is not offered without a live tool', () => {
  const { spawn: _spawn, ...tool } = liveTool([])
  expect(createToolExecutor({ tools: [{ tool }] }).definitions()).toHaveLength(1)
})

describe('a live tool with a parameter named like a part of an action', () => {
  const inputSchema = {
    type: 'object',
    properties: { action: { type: 'string' }, depth: { type: 'integer' } },
    required: ['action'],
    additionalProperties: false,
  }

  test.for(['oneOf', 'flat'] as const)(
    'is spawned with its arguments inside one field, in the form %s',
    (form) => {
      const tool = liveTool([], { inputSchema })
      const definitions = createToolExecutor({ tools: [{ tool }], liveSchema: form }).definitions()
      const schema = JSON.stringify(definitions[0]?.inputSchema)
      expect(schema).toContain(`"arguments":${JSON.stringify(inputSchema)}`)
      expect(schema).not.toContain('"depth":{"type":"integer"},"id"')
    },
  )

  test('receives those arguments, checked', async () => {
    const tool = liveTool([says('running')], { inputSchema })
    const act = makeExecutor(tool)
    expect(getWords(await act({ ...spawn, arguments: { depth: 1 } }))).toContain(
      '/action: is required',
    )
    expect(getWords(await act({ ...spawn, arguments: 'delete' }))).toBe(
      'Nothing was done: arguments: expected an object, got "delete".',
    )
    expect(tool.received).toEqual([])
    await act({ ...spawn, arguments: { action: 'delete', depth: '2' } })
    expect(tool.received).toEqual([{ action: 'delete', depth: 2 }])
  })

  test('runs once if the action is its own', async () => {
    const act = makeExecutor(liveTool([], { inputSchema }))
    expect(getWords(await act({ action: 'delete' }))).toBe('ran once')
    expect(getWords(await act({ action: 'fetch', depth: 1 }))).toBe('ran once')
  })
})

test('the flat form names only declared actions, and their arguments', () => {
  const tool = liveTool([], { actions: ['fetch', 'abort'] })
  const definitions = createToolExecutor({ tools: [{ tool }], liveSchema: 'flat' }).definitions()
  expect(definitions[0]?.inputSchema).toEqual({
    type: 'object',
    properties: {
      action: { type: 'string', enum: ['fetch', 'abort'] },
      id: expect.any(Object) as object,
    },
    required: ['action', 'id'],
    additionalProperties: false,
  })
})

describe('an impossible action is refused with a reason, and no handle changes', () => {
  test.for<[string, Record<string, unknown>, string]>([
    ['an unknown handle', { action: 'fetch', id: 'b' }, 'there is no handle "b"; spawn it first'],
    [
      'an unknown action',
      { action: 'poke', id: 'a' },
      'action: expected spawn, fetch, apply, abort, got "poke"',
    ],
    ['no id', { action: 'fetch' }, 'id: expected the name of a handle, got nothing'],
    [
      'another name in place of the id',
      { action: 'fetch', handle: 'a' },
      'id: expected the name of a handle, got nothing; "handle" is not an argument of "fetch"',
    ],
    [
      'other names in place of the input',
      { action: 'apply', id: 'a', text: 'yes', more: 1 },
      'input: is required and missing; expected the text to type, or the answer; "text", "more" are not arguments of "apply"',
    ],
    ['an empty id', { action: 'abort', id: '' }, 'id: expected the name of a handle, got ""'],
    [
      'an id that is not a name',
      { action: 'abort', id: 7 },
      'id: expected the name of a handle, got 7',
    ],
    [
      'apply without input',
      { action: 'apply', id: 'a' },
      'input: is required and missing; expected the text to type, or the answer',
    ],
    [
      'a second spawn under the same id',
      spawn,
      'a handle "a" already exists; choose another id, or abort it first',
    ],
  ])('%s', async ([, values, message]) => {
    const tool = liveTool([says('running')])
    const act = makeExecutor(tool)
    await act(spawn)
    const result = await act(values)
    expect(result).toMatchObject({ isError: true, metadata: { outcome: 'failed' } })
    expect(getWords(result)).toBe(`Nothing was done: ${message}.`)
    expect(getWords(await act({ action: 'fetch', id: 'a' }))).toBe('[handle "a": running]')
  })

  test('invalid arguments of a spawn are reported like those of any call', async () => {
    const result = await makeExecutor(liveTool([]))({ ...spawn, args: 'x' })
    expect(getWords(result)).toContain('/args: expected array, got string "x"')
  })

  test('an action that is not declared', async () => {
    const act = makeExecutor(liveTool([], { actions: ['spawn', 'abort'] }))
    await act(spawn)
    expect(getWords(await act({ action: 'fetch', id: 'a' }))).toBe(
      'Nothing was done: action: expected spawn, abort, got "fetch".',
    )
  })

  test('one handle over the limit', async () => {
    const act = makeExecutor(liveTool([says('running')]), { limits: { handles: 1 } })
    await act(spawn)
    expect(getWords(await act({ action: 'spawn', id: 'b' }))).toBe(
      'Nothing was done: 1 handles are running, which is the maximum ("a"); abort one first.',
    )
  })
})

test('apply sends text to a running tool, and only the model adds newlines', async () => {
  const tool = liveTool([says('running')])
  const act = makeExecutor(tool)
  await act(spawn)
  await act({ action: 'apply', id: 'a', input: 'y\n' })
  expect(tool.received.at(-1)).toEqual({ input: 'y\n' })
})

test('an aborted handle is removed, a second abort is refused, and its id can be used again', async () => {
  const act = makeExecutor(liveTool([says('running')]))
  await act(spawn)
  expect(getWords(await act({ action: 'abort', id: 'a' }))).toBe('[handle "a": stopped] | aborted')
  expect(getWords(await act({ action: 'abort', id: 'a' }))).toContain('has stopped already')
  expect(getWords(await act(spawn))).toContain('running')
})

test('handles of different conversations do not affect each other', async () => {
  const act = makeExecutor(liveTool([says('running')]))
  await act(spawn, { conversationId: 'one' })
  expect(getWords(await act({ action: 'fetch', id: 'a' }, { conversationId: 'two' }))).toContain(
    'no handle "a"',
  )
  expect(getWords(await act(spawn, { conversationId: 'two' }))).toContain('running')
})

describe('handles end', () => {
  test('with the turn of their conversation', async () => {
    const tool = liveTool([says('running')])
    const executor = createToolExecutor({ tools: [{ tool, policy: 'unattended' }] })
    const call = { id: '1', name: 'staging', arguments: spawn }
    await executor.execute(call, { ...context, conversationId: 'c' })
    await executor.endTurn('other')
    expect(tool.received).not.toContain('abort')
    await executor.endTurn('c')
    expect(tool.received.at(-1)).toBe('abort')
  })

  test('only when the executor closes if the tool is kept', async () => {
    const tool = liveTool([says('running')])
    const executor = createToolExecutor({
      tools: [{ tool, policy: 'unattended', onTurnEnd: 'keep' }],
    })
    await executor.execute({ id: '1', name: 'staging', arguments: spawn }, context)
    await executor.endTurn()
    expect(tool.received).not.toContain('abort')
    await executor.close()
    expect(tool.received.at(-1)).toBe('abort')
  })

  test('if they are unused for too long', async () => {
    const aborted = Promise.withResolvers<void>()
    const tool = liveTool([])
    const { spawn: start } = tool
    const noticing: Tool = {
      ...tool,
      spawn: async (call, toolContext) => {
        const live = await (start?.(call, toolContext) ?? Promise.reject(new Error('no spawn')))
        return { ...live, abort: async () => live.abort().finally(aborted.resolve) }
      },
    }
    await makeExecutor(noticing, { limits: { idleMs: 20 } })(spawn)
    await aborted.promise
    expect(tool.received.at(-1)).toBe('abort')
  })
})

test('an open question to the model is recorded as cancelled when its tool stops, and not asked again', async () => {
  const recorded: unknown[] = []
  const { act } = withExecutor(
    liveTool([says('waiting', question('q1')), says('stopped', text('over'))]),
    {
      routes: { q1: { target: 'assistant' } },
      recordInquiry: async (event) => void recorded.push(event),
    },
  )
  await act(spawn)
  expect(recorded).toMatchObject([{ type: 'question', question: { id: 'q1' } }])
  expect(getWords(await act({ action: 'fetch', id: 'a' }))).toBe('[handle "a": stopped] | over')
  expect(recorded).toHaveLength(2)
  expect(recorded[1]).toMatchObject({ type: 'answer', action: 'cancel', reason: 'aborted' })
  expect((await act({ action: 'apply', id: 'a', input: true })).isError).toBe(true)
})
