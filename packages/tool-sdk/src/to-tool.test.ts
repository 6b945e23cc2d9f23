import { runInquiry } from '@toolblocks/inquiry'
import { booleanQuestion, type ToolContext, readErrorDetails } from '@toolblocks/protocol'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { optional, required } from './schemas/schema.ts'
import { defineTool } from './define-tool.ts'
import { text } from './results/blocks.ts'
import { failure } from './results/output.ts'
import { testTool } from './test-tool.ts'
import { toTool } from './to-tool.ts'

const context: ToolContext = { root: '/w', signal: new AbortController().signal, answers: {} }

const remove = defineTool({
  name: 'remove',
  title: 'Remove',
  summary: 'Removes a file.',
  annotations: { destructiveHint: true },
  inputSchema: Type.Object({ path: Type.String() }),
  formatArguments: ({ path }) => `rm ${path}`,
  run({ path }, { ask, show, root }) {
    show(text(path))
    if (!ask.boolean('sure', 'Remove it?')) return failure('It was kept.')
    return text(`${root}/${path} is gone`)
  },
})
const call = { id: 'c', name: 'remove', arguments: { path: 'a' } }

test('in the process of a host a tool has the description of its program', () => {
  const { execute: _execute, formatArguments: _format, ...definition } = toTool(remove)
  expect(definition).toEqual({
    name: 'remove',
    title: 'Remove',
    summary: 'Removes a file.',
    annotations: { destructiveHint: true },
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string' } },
      required: ['path'],
      additionalProperties: false,
    },
  })
})

test('in the process of a host it asks, is answered and runs again', async () => {
  const user = async () => ({ action: 'accept' as const, value: true })
  const { signal, root } = context
  const result = await runInquiry(toTool(remove), call, {
    context: { signal, root, ask: { user } },
  })
  expect(result.content).toEqual([text('a'), text('/w/a is gone')])
})

test('in the process of a host invalid arguments and errors are results too', async () => {
  const tool = toTool(remove)
  const wrong = await tool.execute({ ...call, arguments: { path: 1 } }, context)
  expect([wrong.isError, wrong.content]).toMatchObject([
    true,
    [{ text: expect.stringMatching(/\/path/) }],
  ])
  expect((await tool.formatArguments?.(call, context))?.content).toEqual([text('rm a')])
  const throws = defineTool({
    name: 'throws',
    formatArguments: () => {
      throw new Error('no words')
    },
    run: () => Promise.reject(new AggregateError([new Error('a'), 'b'])),
  })
  const failed = await toTool(throws).execute({ ...call, arguments: {} }, context)
  expect(failed).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/failed: a; b$/) }],
  })
  expect(readErrorDetails(failed).trace).toEqual(['AggregateError: a; b'])
  expect(await toTool(throws).formatArguments?.(call, context)).toMatchObject({ isError: true })
})

test('a one-shot tool cannot be spawned', () => {
  expect(toTool(remove)).not.toHaveProperty('spawn')
})

test('in a unit test answers are passed, and questions are visible', async () => {
  expect((await testTool(remove, { path: 'a' })).content.at(-1)).toEqual({
    type: 'question',
    question: booleanQuestion({ id: 'sure', text: 'Remove it?' }),
  })
  const kept = await testTool(remove, { path: 'a' }, { answers: { sure: false } })
  expect([kept.isError, kept.content]).toEqual([true, [text('a'), text('It was kept.')]])
  const gone = await testTool(remove, { path: 'a' }, { answers: { sure: true }, root: '/r' })
  expect(gone.content.at(-1)).toEqual(text('/r/a is gone'))
})

test('untyped arguments are read one by one', async () => {
  const copy = defineTool({
    name: 'copy',
    parameters: { from: { type: 'string' }, to: { type: 'string', required: false } },
    run: (args) => text(`${String(required(args, 'from'))} ${String(optional(args, 'to'))}`),
  })
  expect(copy.description.parameters).toEqual({
    from: { type: 'string', required: true },
    to: { type: 'string', required: false },
  })
  expect((await testTool(copy, { from: 'a' })).content).toEqual([text('a undefined')])
  expect(() => required({ to: null }, 'to')).toThrow('the argument "to" is missing')
  expect(optional({}, 'toString')).toBe(undefined)
})

test('an answer is used only for its own key', async () => {
  const asks = defineTool({
    name: 'asks',
    run: (_args, { ask }) => text(ask.text('toString', 'Which?')),
  })
  expect((await testTool(asks, {})).content).toMatchObject([{ type: 'question' }])
})
