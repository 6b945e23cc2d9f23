import { describe, expect, test } from 'vitest'
import { parseToolOutput } from '../parse-tool-output.ts'

const read = (document: unknown): ReturnType<typeof parseToolOutput> =>
  parseToolOutput(JSON.stringify(document), { dialect: 'outcome' })
const text = (value: string): { type: 'text'; text: string } => ({ type: 'text', text: value })

test('without the option these documents are text', () => {
  const output = '{"type":"success","content":"done"}'
  expect(parseToolOutput(output)).toMatchObject({
    format: 'raw',
    result: { content: [text(output)] },
  })
})

test('a content array is read as blocks in this dialect too', () => {
  expect(read({ content: [text('a')], type: 'success' }).format).toBe('blocks')
})

test('success becomes one text block', () => {
  expect(read({ type: 'success', content: 'done\n' })).toEqual({
    result: { content: [text('done\n')], isError: false },
    warnings: [],
    format: 'outcome',
    reversible: true,
  })
})

test('error becomes its message, with trace and transient in _meta', () => {
  const { result } = read({ type: 'error', message: 'no', trace: ['a', 'b'], transient: true })
  expect(result).toEqual({
    content: [text('no')],
    isError: true,
    _meta: { 'computer.jp/error': { transient: true, trace: ['a', 'b'] } },
  })
})

test('needs_input becomes a question after its text', () => {
  const question = {
    id: 'overwrite_file',
    text: "File 'x' exists. Overwrite?",
    pre_amble: 'a diff',
    answer_type: 'Boolean',
    default: false,
  }
  expect(read({ type: 'needs_input', question }).result.content).toEqual([
    text('a diff'),
    {
      type: 'question',
      question: {
        id: 'overwrite_file',
        text: "File 'x' exists. Overwrite?",
        schema: { type: 'boolean' },
        default: false,
      },
    },
  ])
})

test('pre_amble and default may be null or absent', () => {
  const asked = { id: 'a', text: 'b', answer_type: 'Text' }
  const block = {
    type: 'question',
    question: { id: 'a', text: 'b', schema: { type: 'string' } },
  }
  for (const question of [asked, { ...asked, pre_amble: null, default: null }]) {
    expect(read({ type: 'needs_input', question }).result.content).toEqual([block])
  }
})

describe('answer types in both shapes are read', () => {
  const described = [{ value: 'a', description: 'first' }, { value: 'b' }]
  test.for([
    ['Boolean', { type: 'boolean' }],
    [{ type: 'boolean' }, { type: 'boolean' }],
    ['Text', { type: 'string' }],
    [{ type: 'text' }, { type: 'string' }],
    [{ Select: { options: ['a', 'b'] } }, { type: 'string', enum: ['a', 'b'] }],
    [
      { type: 'select', options: [{ value: 'a' }] },
      { type: 'string', enum: ['a'] },
    ],
    [
      { type: 'select', options: described },
      {
        type: 'string',
        oneOf: [
          { const: 'a', title: 'a', description: 'first' },
          { const: 'b', title: 'b' },
        ],
      },
    ],
    [{ type: 'secret' }, { type: 'string', format: 'password', writeOnly: true }],
  ] as const)('%j becomes %j', ([answerType, schema]) => {
    const question = { id: 'a', text: 'b', answer_type: answerType }
    expect(read({ type: 'needs_input', question }).result.content).toEqual([
      { type: 'question', question: { id: 'a', text: 'b', schema } },
    ])
  })
})

test('unknown fields are kept in _meta, or in the question', () => {
  expect(read({ type: 'success', content: '', took: 3 }).result._meta).toEqual({
    'toolblocks/wire': { took: 3 },
  })
  const question = { id: 'a', text: 'b', answer_type: 'Text', extra: 1 }
  expect(read({ type: 'needs_input', question }).result.content).toMatchObject([
    { question: { extra: 1 } },
  ])
})

test.for([
  { type: 'success' },
  { type: 'success', content: 1 },
  { type: 'error', message: 'a', trace: [] },
  { type: 'error', message: 'a', trace: [1], transient: true },
  { type: 'error', message: 'a', transient: true },
  { type: 'needs_input' },
  { type: 'needs_input', question: { id: 'a', text: 'b' } },
  { type: 'needs_input', question: { id: 'a', text: 'b', answer_type: 'Number' } },
  { type: 'needs_input', question: { id: 'a', text: 'b', answer_type: { Select: {} } } },
  {
    type: 'needs_input',
    question: { id: 'a', text: 'b', answer_type: { Select: { options: [1] } } },
  },
  { type: 'needs_input', question: { id: 'a', text: 'b', answer_type: 'Text', pre_amble: 1 } },
  { type: 'running' },
  {},
])('%j misses a field, so it is text', (document) => {
  const { result, format } = read(document)
  expect(format).toBe('raw')
  expect(result.content).toEqual([text(JSON.stringify(document))])
})
