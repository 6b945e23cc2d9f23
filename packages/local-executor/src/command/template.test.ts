import fc from 'fast-check'
import { type JsonSchema, type ToolRequest } from '@toolblocks/protocol'
import { parametersToSchema } from '@toolblocks/protocol/internal'
import { describe, expect, test } from 'vitest'
import { readCommand } from './command.ts'
import { checkPlaceholders, parseTemplate, renderArguments, renderTemplate } from './template.ts'

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

test('a path reaches into objects and arrays', () => {
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
])('%s is refused with the valid alternatives', (source) => {
  const read = parseTemplate(source)
  expect(read.ok).toBe(false)
  expect(!read.ok && read.message).toMatch(/^unknown placeholder \{\{.*\{\{tool\.arguments\.x\}\}/)
})

test.for([
  ['a {{ tool.nam }} b', '{{ tool.nam }}'],
  [`open {{tool.name ${'x'.repeat(40)}`, `{{tool.name ${'x'.repeat(28)}`],
])('%s: the message names the placeholder and all valid ones', ([source = '', placeholder]) => {
  expect(parseTemplate(source)).toEqual({
    ok: false,
    message: `unknown placeholder ${placeholder}: use {{context}}, {{tool}}, {{tool.name}}, {{tool.arguments.x}}, {{tool.answers.x}} or {{tool.options.x}}; for two literal braces write {{{{`,
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

test('a word has its fixed text and its placeholders in order', () => {
  expect(parseTemplate('a{{tool.name}}{{{{b{{context}}')).toEqual({
    ok: true,
    template: {
      source: 'a{{tool.name}}{{{{b{{context}}',
      parts: ['a', { path: ['tool', 'name'] }, '{{', 'b', { path: ['context'] }],
    },
  })
  expect(parseTemplate('')).toEqual({ ok: true, template: { source: '', parts: [] } })
})

test('any value is one word, and is never read as a template', () => {
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

test('text without two braces is unchanged', () => {
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

function check(command: string[], schema: JsonSchema): unknown[] {
  const read = readCommand(command)
  if (!read.ok) throw new Error('the command is wrong')
  return checkPlaceholders(read.command, schema).map(({ path, message }) => [path, message])
}

test('a placeholder for an argument that the schema excludes is a problem with its place', () => {
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
])('%s is allowed', ([, word, schema]) => {
  expect(check(['cat', word], schema)).toEqual([])
})

function renderWords(
  templates: readonly string[],
  values: Record<string, unknown>,
  program: readonly string[] = ['program'],
): ReturnType<typeof renderArguments> {
  const read = readCommand([...program, ...templates])
  if (!read.ok) throw new Error(JSON.stringify(read.problems))
  const asked: ToolRequest = {
    context: { action: 'run', root: '/', access: null },
    tool: { name: 't', arguments: values, answers: {}, options: values },
  }
  return renderArguments(read.command.args, asked)
}

const KIB = 1024

const STDIN =
  'Let the tool read the JSON document on stdin, which has the same values without a limit, and remove the placeholder from its command.'

test('an argument below 100 KiB is passed, one of 100 KiB is refused with advice to read stdin', () => {
  const text = 'ä'.repeat(50 * KIB - 1)
  expect(renderWords(['{{tool.arguments.x}}'], { x: text })).toMatchObject({
    ok: true,
    args: [text],
  })
  expect(renderWords(['{{tool.arguments.x}}'], { x: `${text}ä` })).toEqual({
    ok: false,
    message: `The argument {{tool.arguments.x}} has 102400 bytes; one argument must stay below 102400. ${STDIN}`,
  })
})

test('arguments of 1 MiB together are refused', () => {
  const count = 11
  const templates = Array.from({ length: count }, () => '{{tool.arguments.x}}')
  expect(renderWords(templates, { x: 'x'.repeat(100 * KIB - 1) })).toEqual({
    ok: false,
    message: `The arguments have 1126400 bytes or more; together they must stay below 1048576. ${STDIN}`,
  })
  // The NUL byte that ends each argument is counted.
  const most = ['x'.repeat(100 * KIB - 1)]
  const ten = Array.from({ length: 10 }, () => most).flat()
  const rest = 24 * KIB
  expect(renderWords([...ten, 'x'.repeat(rest - 2)], {})).toMatchObject({ ok: true })
  expect(renderWords([...ten, 'x'.repeat(rest - 1)], {})).toMatchObject({ ok: false })
})

test('a NUL character is refused', () => {
  expect(renderWords(['{{tool.arguments.x}}'], { x: 'a\0b' })).toEqual({
    ok: false,
    message: `The argument {{tool.arguments.x}} contains a NUL character, which an argument cannot contain. ${STDIN}`,
  })
})

describe('text that begins with a dash', () => {
  const refused = (argument: string, beginning: string): object => ({
    ok: false,
    message: `The argument "${argument}" begins with a dash ("${beginning}"), so the program could read it as an option. Give it another beginning, such as ./ for a path; or write -- before its placeholder in the command, or allow_dash = true for the parameter.`,
  })

  test('is refused if the program could read it as an option, with its name and the ways to fix it', () => {
    expect(renderWords(['-v', '{{tool.arguments.x}}'], { x: '--output=/etc/passwd' })).toEqual(
      refused('x', '--output=/etc/passwd'),
    )
    expect(renderWords(['{{tool.arguments.x}}', '--', 'y'], { x: '-a' })).toEqual(
      refused('x', '-a'),
    )
    expect(renderWords(['{{tool.arguments.x.0.b}}y'], { x: [{ b: '-' }] })).toEqual(
      refused('x.0.b', '-'),
    )
    expect(renderWords(['{{tool.arguments.x}}'], { x: `-${'a'.repeat(99)}` })).toEqual(
      refused('x', `-${'a'.repeat(39)}…`),
    )
  })

  test('is refused after an empty value in the same word', () => {
    const templates = ['{{tool.arguments.x}}{{tool.options.x}}{{tool.arguments.y}}']
    expect(renderWords(templates, { x: '', y: '-a' })).toEqual(refused('y', '-a'))
    expect(renderWords(templates, { x: 'b', y: '-a' })).toMatchObject({ ok: true })
  })

  test('is also refused as an answer of a person', () => {
    const read = readCommand(['program', '{{tool.answers.x}}'])
    if (!read.ok) throw new Error('not read')
    const asked: ToolRequest = {
      context: { action: 'run', root: '/', access: null },
      tool: { name: 't', arguments: {}, answers: { x: '-a' }, options: {} },
    }
    expect(renderArguments(read.command.args, asked)).toEqual({
      ok: false,
      message:
        'The answer "x" begins with a dash ("-a"), so the program could read it as an option. Give it another beginning, such as ./ for a path; or write -- before its placeholder in the command.',
    })
  })

  test.for<[string, readonly string[], Record<string, unknown>]>([
    ['--', ['program', '--', '{{tool.arguments.x}}'], { x: '-a' }],
    ['a script', ['sh', 'x.sh', '{{tool.arguments.x}}'], { x: '-a' }],
    ['a program text', ['sh', '-c', 'echo "$1"', 'sh', '{{tool.arguments.x}}'], { x: '-a' }],
    ['a text of awk', ['awk', '{print}', '{{tool.arguments.x}}'], { x: '-a' }],
    ['a module', ['python3', '-m', 'm', '{{tool.arguments.x}}'], { x: '-a' }],
    ['a fixed beginning', ['program', '--x={{tool.arguments.x}}'], { x: '-a' }],
    ['the configuration’s own', ['program', '{{tool.options.x}}'], { x: '-a' }],
    ['a number', ['program', '{{tool.arguments.x}}'], { x: -1 }],
    ['a dash inside', ['program', '{{tool.arguments.x}}'], { x: 'a-b' }],
    ['other words', ['program', '{{tool.name}}', '', 'y', '{{context.root}}'], { x: '-a' }],
  ])('is accepted: %s', ([, [program = '', ...templates], values]) => {
    expect(renderWords(templates, values, [program])).toMatchObject({ ok: true })
  })

  test('is accepted by a program that is a script of the shell', () => {
    const command = { program: 'echo "$1"', args: ['{{tool.arguments.x}}'], shell: true }
    const read = readCommand(command)
    expect(read.ok && read.command.args.every(({ takesDash }) => takesDash)).toBe(true)
  })

  test('is accepted if the definition allows the argument or a value that contains it', () => {
    const allowed = (templates: readonly string[], allows: object): boolean => {
      const read = readCommand(['program', ...templates], allows)
      return read.ok && read.command.args.every(({ takesDash }) => takesDash)
    }
    expect(allowed(['{{tool.arguments.x}}'], { dashArguments: ['x'] })).toBe(true)
    expect(allowed(['{{tool.arguments.x.3}}'], { dashArguments: ['x'] })).toBe(true)
    expect(allowed(['{{tool.arguments.x}}'], { codeArguments: ['x'] })).toBe(true)
    expect(allowed(['{{tool.arguments.x}}'], { dashArguments: ['y'] })).toBe(false)
    expect(allowed(['{{tool.arguments.x}}{{tool.arguments.y}}'], { dashArguments: ['x'] })).toBe(
      false,
    )
    expect(allowed(['{{tool.arguments.x}}+{{tool.arguments.y}}'], { dashArguments: ['x'] })).toBe(
      true,
    )
  })
})

test('values that are not JSON are refused', () => {
  const rendered = renderWords(['{{tool.arguments.x}}'], { x: { n: 1n } })
  expect(rendered).toEqual({
    ok: false,
    message:
      'The arguments of the call cannot be written as JSON: they are nested too deeply, contain themselves, or hold a value that JSON cannot represent.',
  })
})
