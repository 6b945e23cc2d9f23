import type { InputRequest, JsonSchema, JsonValue } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import {
  createQuestionForm,
  findChoiceHint,
  type FieldInput,
  type FieldProblem,
  locateProblems,
  readDraft,
} from './question-form.ts'

const YES_OR_NO = [
  { value: true, title: 'Yes' },
  { value: false, title: 'No' },
]
const SIZES = [
  { value: 1, title: 'Small' },
  { value: 'big', title: 'big' },
]
const sizes = { oneOf: [{ const: 1, title: 'Small' }, { const: 'big' }] }

test.for<[JsonSchema, FieldInput]>([
  [{ type: 'boolean' }, { kind: 'choice', choices: YES_OR_NO }],
  [sizes, { kind: 'choice', choices: SIZES }],
  [
    { type: 'array', items: sizes },
    { kind: 'choices', choices: SIZES },
  ],
  [{ type: 'string' }, { kind: 'text', lines: 'several' }],
  [{ type: 'integer' }, { kind: 'number', numbers: 'whole' }],
  [{ type: 'array', items: { type: 'string' } }, { kind: 'lines' }],
])('%j is filled in as %j', ([schema, input]) => {
  expect(createQuestionForm({ schema })).toEqual({
    kind: 'value',
    field: { name: '', label: '', details: [], input, need: 'required', initial: [] },
  })
})

test('a field has its title, its limits and its default; a value that may be null may be omitted', () => {
  const schema = {
    type: 'object',
    properties: {
      host: { type: 'string', title: 'Host name', description: 'Where.', maxLength: 9 },
      port: { type: ['integer', 'null'], default: 80 },
      tags: { type: 'array', items: { type: 'string' }, default: ['a', 'b'] },
      size: sizes,
      wrong: { type: 'integer', default: 'x' },
    },
    required: ['host', 'port'],
  }
  const form = createQuestionForm({ schema, default: { host: 'here', size: 'big' } })
  expect(form).toMatchObject({
    kind: 'object',
    fields: [
      {
        name: 'host',
        label: 'Host name',
        details: ['Where.', 'at most 9 characters'],
        need: 'required',
        initial: ['here'],
      },
      { name: 'port', label: 'port', need: 'optional', initial: ['80'] },
      { name: 'tags', initial: ['a\nb'] },
      { name: 'size', initial: ['1'] },
      { name: 'wrong', initial: [] },
    ],
  })
})

test.for<[string, Parameters<typeof createQuestionForm>[0], object]>([
  ['its id', { id: 'password', schema: { type: 'string' } }, { field: { isSecret: true } }],
  ['its schema', { schema: { type: 'string', writeOnly: true } }, { field: { isSecret: true } }],
  [
    'the name of a field',
    {
      schema: { type: 'object', properties: { user: { type: 'string' }, pin: { type: 'string' } } },
    },
    { fields: [{ name: 'user' }, { name: 'pin', isSecret: true }] },
  ],
  [
    'a part of the JSON',
    { schema: { type: 'object', properties: { a: { properties: { token: {} } } } } },
    { kind: 'json', isSecret: true },
  ],
])('a form says that it asks for a secret because of %s', ([, question, form]) => {
  expect(createQuestionForm(question)).toMatchObject(form)
})

test.for<[JsonSchema, JsonValue, readonly string[]]>([
  [{ type: 'boolean' }, false, ['1']],
  [sizes, 'big', ['1']],
  [{ type: 'array', items: sizes }, [1, 'big'], ['0', '1']],
  [{ type: 'number' }, 2.5, ['2.5']],
  [{ type: ['string', 'null'] }, null, []],
  [{ type: 'string', minLength: 3 }, 'ab', []],
])('the default of %j, %j, is filled in as %j only if it is valid', ([schema, value, initial]) => {
  expect(createQuestionForm({ schema, default: value })).toMatchObject({ field: { initial } })
})

test('a value that fits no input is typed as JSON, with its default', () => {
  const schema = { type: 'object', properties: { a: { type: 'object' } } }
  expect(createQuestionForm({ schema })).toEqual({ kind: 'json', initial: '' })
  const initial = '{\n  "a": {}\n}'
  expect(createQuestionForm({ schema, default: { a: {} } })).toEqual({ kind: 'json', initial })
  expect(readDraft({ schema }, new Map([['', [' {"a": {"b": [1]}} ']]]))).toEqual({
    ok: true,
    value: { a: { b: [1] } },
  })
  for (const typed of ['', '{a: 1}', `${'['.repeat(200)}${']'.repeat(200)}`])
    expect(readDraft({ schema }, new Map([['', [typed]]]))).toMatchObject({
      ok: false,
      problems: [{ field: '' }],
    })
})

test.for<[JsonSchema, readonly string[], JsonValue]>([
  [{ type: 'boolean' }, ['0'], true],
  [{ type: 'boolean' }, ['1'], false],
  [sizes, ['0'], 1],
  [{ type: 'array', items: sizes }, ['1', '0', '7', 'x'], [1, 'big']],
  [{ type: 'array', items: sizes }, [], []],
  [{ type: 'string' }, [' as typed '], ' as typed '],
  [{ type: 'string' }, [], ''],
  [{ type: 'number' }, ['-.5'], -0.5],
  [{ type: 'array', items: { type: 'string' } }, ['a\n\nb\n'], ['a', 'b']],
  [{ type: ['integer', 'null'] }, [''], null],
  [{ type: ['boolean', 'null'] }, [''], null],
])('for %j, the draft %j means %j', ([schema, typed, value]) => {
  expect(readDraft({ schema }, new Map([['', typed]]))).toEqual({ ok: true, value })
})

test.for<[JsonSchema, readonly string[], string]>([
  [{ type: 'boolean' }, [], 'choose one'],
  [sizes, ['2'], 'choose one'],
  [{ type: 'integer' }, ['2.5'], 'expected a whole number, for example 3'],
  [{ type: 'number' }, ['1e400'], 'the number is too large to be stored exactly'],
  [{ type: 'array', items: { type: 'string', maxLength: 2 } }, ['ab\nabc'], '"abc": '],
  [{ type: 'string', minLength: 2 }, ['a'], 'expected'],
])('for %j, the draft %j has a problem that says %j', ([schema, typed, message]) => {
  const read = readDraft({ schema }, new Map([['', typed]]))
  expect(read).toEqual({
    ok: false,
    problems: [{ field: '', message: expect.stringContaining(message) }],
  })
})

const flat: Pick<InputRequest, 'schema'> = {
  schema: {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1 },
      'a/b': { type: 'integer' },
      none: { type: ['string', 'null'] },
      some: { type: 'array', items: { enum: ['x', 'y'] }, minItems: 1 },
    },
    required: ['name', 'none'],
  },
}

test('an omitted property is absent, or null if it is required', () => {
  expect(readDraft(flat, new Map([['name', ['Ada']]]))).toEqual({
    ok: true,
    value: { name: 'Ada', none: null },
  })
})

test('every field with a problem is named, and problems of the complete answer find their fields', () => {
  const draft = new Map([
    ['name', ['']],
    ['a/b', ['x']],
  ])
  const read = readDraft(flat, draft)
  const names = (problems: readonly FieldProblem[]): readonly unknown[] =>
    problems.map(({ field }) => field)
  expect(read.ok ? [] : names(read.problems)).toEqual(['name', 'a/b'])
  const problem = { code: 'type', message: 'wrong' }
  const located = locateProblems(createQuestionForm(flat), [
    { ...problem, path: '/a~1b' },
    { ...problem, path: '/some/1' },
    { ...problem, path: '' },
    { ...problem, path: '/else' },
  ])
  expect(located).toEqual([
    { field: 'a/b', message: 'wrong' },
    { field: 'some', message: '/1 wrong' },
    { message: 'wrong' },
    { message: '/else wrong' },
  ])
})

test('properties with the names of methods are properties', () => {
  const properties = Object.fromEntries(
    ['__proto__', 'constructor'].map((name) => [name, { type: 'string' }]),
  )
  const schema = { type: 'object', properties, required: ['__proto__', 'constructor'] }
  const draft = new Map([
    ['__proto__', ['a']],
    ['constructor', ['b']],
  ])
  const read = readDraft({ schema }, draft)
  expect(read.ok && JSON.stringify(read.value)).toBe('{"__proto__":"a","constructor":"b"}')
})

test.for([
  [{ value: true, title: 'Yes' }, undefined],
  [{ value: false, title: 'no' }, undefined],
  [{ value: 's', title: 'S' }, undefined],
  [{ value: 's', title: 'Small' }, 's'],
  [{ value: true, title: 'No' }, 'true'],
  [{ value: false, title: 'Keep it' }, 'false'],
  [{ value: null, title: 'Yes' }, 'null'],
  [{ value: 'A1', title: 'A1 (12 m, 40 EUR)' }, undefined],
  [{ value: 'A1', title: 'A1: 12 m' }, undefined],
  [{ value: 'A1', title: 'A1 - 12 m' }, undefined],
  [{ value: 'A1', title: 'A12 (12 m)' }, 'A1'],
  [{ value: 'A1', title: 'A1-b' }, 'A1'],
  [{ value: 'no', title: 'no problem' }, 'no'],
  [{ value: '', title: '(all)' }, ''],
] as const)('of the choice %j the value is shown beside the title as %s', ([choice, hint]) => {
  expect(findChoiceHint(choice)).toBe(hint)
})
