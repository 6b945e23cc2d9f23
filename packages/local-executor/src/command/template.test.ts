import fc from 'fast-check'
import { type JsonSchema, type ToolRequest, parametersToSchema } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { readCommand } from './command.ts'
import { checkPlaceholders, parseTemplate, renderTemplate } from './template.ts'

const request: ToolRequest = {
  context: { action: 'run', root: '/home/ada', access: null, conversation_id: 'c1' },
  tool: {
    name: 'fs_read',
    arguments: { path: 'a b.rs', line: 3, deep: { list: ['x', { y: true }] }, empty: '', no: null },
    answers: { sure: false },
    options: { mode: 'fast' },
  },
}

function render(source: string): string {
  const read = parseTemplate(source)
  if (!read.ok) throw new Error(read.message)
  return renderTemplate(read.template, request)
}

test.for([
  ['{{tool.name}}', 'fs_read'],
  ['{{tool.arguments.path}}', 'a b.rs'],
  ['--line={{tool.arguments.line}}!', '--line=3!'],
  ['{{tool.answers.sure}}', 'false'],
  ['{{tool.options.mode}}{{tool.options.mode}}', 'fastfast'],
  ['{{ tool.name }}', 'fs_read'],
  ['{{context.action}} in {{context.root}}', 'run in /home/ada'],
])('%s becomes %s', ([source = '', text]) => {
  expect(render(source)).toBe(text)
})

test('arrays and objects become compact JSON', () => {
  expect(render('{{tool.arguments.deep}}')).toBe('{"list":["x",{"y":true}]}')
  expect(JSON.parse(render('{{tool}}'))).toEqual(request.tool)
  expect(JSON.parse(render('{{context}}'))).toEqual(request.context)
})

test('a path goes into objects and arrays', () => {
  expect(render('{{tool.arguments.deep.list.1.y}}')).toBe('true')
})

test.for([
  '{{tool.arguments.nope}}',
  '{{tool.arguments.no}}',
  '{{tool.arguments.path.length}}',
  '{{tool.arguments.nope.deeper}}',
  '{{tool.arguments.no.deeper}}',
  '{{tool.arguments.constructor}}',
  '{{tool.arguments.__proto__}}',
  '{{context.workspace_id}}',
])('%s has no value and becomes null', (source) => {
  expect(render(source)).toBe('null')
})

test('an empty string stays empty', () => {
  expect(render('[{{tool.arguments.empty}}]')).toBe('[]')
})

test('four braces are two, for programs with templates of their own', () => {
  expect(render('{{{{.Names}} {{{{end}}')).toBe('{{.Names}} {{end}}')
})

test.for([
  '{{tool.argument.x}}',
  '{{tool.name.first}}',
  '{{context.roots}}',
  '{{toString}}',
  '{{tool.}}',
  '{{tool.arguments..x}}',
  '{{.Names}}',
  '{{}}',
  '{{ tool | tojson }}',
  'open {{tool.name',
])('%s is refused with what can be written instead', (source) => {
  const read = parseTemplate(source)
  expect(read.ok).toBe(false)
  expect(!read.ok && read.message).toMatch(/^unknown placeholder \{\{.*\{\{tool\.arguments\.x\}\}/)
})

test.for([
  ['a {{ tool.nam }} b', '{{ tool.nam }}'],
  [`open {{tool.name ${'x'.repeat(40)}`, `{{tool.name ${'x'.repeat(28)}`],
])('%s: the message says which, and all that can be written', ([source = '', found]) => {
  expect(parseTemplate(source)).toEqual({
    ok: false,
    message: `unknown placeholder ${found}: use {{context}}, {{tool}}, {{tool.name}}, {{tool.arguments.x}}, {{tool.answers.x}} or {{tool.options.x}}; for two braces as they are write {{{{`,
  })
})

test.for([
  ['{{context.action}}', true],
  ['{{context.root}}', true],
  ['{{context.access}}', true],
  ['{{context.access.x.y}}', true],
  ['{{context.workspace_id}}', true],
  ['{{context.conversation_id}}', true],
  ['{{context.action.x}}', false],
  ['{{context.root.x}}', false],
  ['{{context.workspace_id.x}}', false],
  ['{{context.conversation_id.x}}', false],
  ['{{tool.name.x}}', false],
  ['{{tool.arguments.x.0.y}}', true],
  ['{{tool.answers.x.y}}', true],
  ['{{tool.options.x.y}}', true],
  ['{{tool.arguments.}}', false],
  ['{{context.constructor}}', false],
  ['{{constructor.name}}', false],
  ['{{\ttool\n}}', true],
  ['{{tool x}}', false],
  ['{{tool{x}}', false],
] as const)('%s is a placeholder: %s', ([source, isOne]) => {
  expect(parseTemplate(source).ok).toBe(isOne)
})

test('a word has its fixed text and its places in their order', () => {
  expect(parseTemplate('a{{tool.name}}{{{{b{{context}}')).toEqual({
    ok: true,
    template: {
      source: 'a{{tool.name}}{{{{b{{context}}',
      parts: ['a', { path: ['tool', 'name'] }, '{{', 'b', { path: ['context'] }],
    },
  })
  expect(parseTemplate('')).toEqual({ ok: true, template: { source: '', parts: [] } })
})

test('a value is one word whatever it contains, and is never read as a template', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (value) => {
      const read = parseTemplate('a{{tool.arguments.x}}b')
      if (!read.ok) throw new Error(read.message)
      const tool = { name: 't', arguments: { x: value } }
      expect(renderTemplate(read.template, { ...request, tool })).toBe(`a${value}b`)
    }),
    { examples: [['{{tool.name}}'], ['{{{{'], ['$(id) "; `id`']] },
  )
})

test('text without two braces is itself', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('{{')),
      (text) => {
        expect(render(text)).toBe(text)
      },
    ),
  )
})

const closed = parametersToSchema({
  path: { type: 'string' },
  range: { type: 'object', properties: { first: { type: 'integer' } } },
  anything: { type: 'object' },
})

function check(words: string[], schema: JsonSchema): unknown[] {
  const read = readCommand(words)
  if (!read.ok) throw new Error('the command is wrong')
  return checkPlaceholders(read.command, schema).map(({ path, message }) => [path, message])
}

test('a placeholder for an argument that no call can have is a problem with its place', () => {
  expect(check(['cat', '--', '{{tool.arguments.path}} {{tool.arguments.pth}}'], closed)).toEqual([
    [
      '/command/2',
      '{{tool.arguments.pth}} names no parameter: expected path, range, anything, got "pth"',
    ],
  ])
  expect(check(['cat', '{{tool.arguments.range.last}}'], closed)).toEqual([
    ['/command/1', '{{tool.arguments.range.last}} names no parameter: expected first, got "last"'],
  ])
  expect(check(['cat', '{{tool.arguments.x}}'], parametersToSchema({}))).toEqual([
    ['/command/1', '{{tool.arguments.x}} names no parameter: expected no arguments, got "x"'],
  ])
})

test.for<[string, string, JsonSchema]>([
  ['a parameter', '{{tool.arguments.path}}', closed],
  ['all arguments', '{{tool.arguments}}', closed],
  ['what an open object may hold', '{{tool.arguments.anything.a}}', closed],
  ['an item of a list', '{{tool.arguments.path.0}}', closed],
  ['an answer', '{{tool.answers.x}}', closed],
  ['anything, where the schema allows more', '{{tool.arguments.x}}', { properties: {} }],
  [
    'anything, where names follow a pattern',
    '{{tool.arguments.x}}',
    { patternProperties: { x: {} }, additionalProperties: false },
  ],
  ['anything, where nothing is said', '{{tool.arguments.x}}', true],
])('%s may be named', ([, word, schema]) => {
  expect(check(['cat', word], schema)).toEqual([])
})
