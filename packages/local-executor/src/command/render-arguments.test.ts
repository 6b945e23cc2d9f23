import type { ToolRequest } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { readCommand } from './command.ts'
import { MAX_ARGUMENT_BYTES, MAX_ARGUMENTS_BYTES, renderArguments } from './render-arguments.ts'

function render(
  words: readonly string[],
  values: Record<string, unknown>,
): ReturnType<typeof renderArguments> {
  const read = readCommand(['program', ...words])
  if (!read.ok) throw new Error(JSON.stringify(read.problems))
  const request: ToolRequest = {
    context: { action: 'run', root: '/', access: null },
    tool: { name: 't', arguments: values, answers: {}, options: values },
  }
  return renderArguments(read.command.args, request)
}

const STDIN =
  'Let the tool read the JSON document on stdin, which has the same values without a limit, and take the placeholder out of its command.'

test('an argument below 100 KiB is passed, one of 100 KiB is refused with advice to read stdin', () => {
  const text = 'ä'.repeat(MAX_ARGUMENT_BYTES / 2 - 1)
  expect(render(['{{tool.arguments.x}}'], { x: text })).toMatchObject({ ok: true, args: [text] })
  expect(render(['{{tool.arguments.x}}'], { x: `${text}ä` })).toEqual({
    ok: false,
    message: `The argument {{tool.arguments.x}} has 102400 bytes; one argument must stay below 102400. ${STDIN}`,
  })
})

test('arguments of 1 MiB together are refused', () => {
  const count = Math.ceil(MAX_ARGUMENTS_BYTES / (MAX_ARGUMENT_BYTES - 1))
  const words = Array.from({ length: count }, () => '{{tool.arguments.x}}')
  expect(render(words, { x: 'x'.repeat(MAX_ARGUMENT_BYTES - 1) })).toEqual({
    ok: false,
    message: `The arguments have 1126400 bytes or more; together they must stay below 1048576. ${STDIN}`,
  })
  // The byte that ends each argument counts.
  const most = ['x'.repeat(MAX_ARGUMENT_BYTES - 1)]
  const ten = Array.from({ length: 10 }, () => most).flat()
  const rest = MAX_ARGUMENTS_BYTES - 10 * MAX_ARGUMENT_BYTES
  expect(render([...ten, 'x'.repeat(rest - 2)], {})).toMatchObject({ ok: true })
  expect(render([...ten, 'x'.repeat(rest - 1)], {})).toMatchObject({ ok: false })
})

test('a NUL character is refused', () => {
  expect(render(['{{tool.arguments.x}}'], { x: 'a\0b' })).toEqual({
    ok: false,
    message: `The argument {{tool.arguments.x}} contains a NUL character, which no program can be given as an argument. ${STDIN}`,
  })
})

test('text from a model that starts with a dash is passed with a warning', () => {
  expect(render(['-v', '{{tool.arguments.x}}'], { x: '--output=/etc/passwd' })).toEqual({
    ok: true,
    args: ['-v', '--output=/etc/passwd'],
    warnings: [
      {
        path: '/tool/arguments/x',
        code: 'argument-like-option',
        message:
          'The value of {{tool.arguments.x}} starts with "-" and may be taken for an option: write -- before it in the command.',
      },
    ],
  })
  expect(render(['{{tool.arguments.x}}', '--', '{{tool.arguments.x}}'], { x: '-a' })).toMatchObject(
    {
      warnings: [{ path: '/tool/arguments/x' }],
    },
  )
})

test('so is text of a person who answers', () => {
  const read = readCommand(['program', '{{tool.answers.x}}'])
  if (!read.ok) throw new Error('not read')
  const request: ToolRequest = {
    context: { action: 'run', root: '/', access: null },
    tool: { name: 't', arguments: {}, answers: { x: '-a' }, options: {} },
  }
  expect(renderArguments(read.command.args, request)).toMatchObject({
    warnings: [{ path: '/tool/answers/x' }],
  })
})

test('values that are no JSON are refused', () => {
  const rendered = render(['{{tool.arguments.x}}'], { x: { n: 1n } })
  expect(rendered).toEqual({
    ok: false,
    message:
      'The arguments of the call cannot be written as JSON: they nest too deeply, contain themselves, or hold a value that JSON does not know.',
  })
})

test.for<[readonly string[], Record<string, unknown>]>([
  [['--', '{{tool.arguments.x}}'], { x: '-a' }],
  [['--x={{tool.arguments.x}}'], { x: '-a' }],
  [['{{tool.options.x}}'], { x: '-a' }],
  [['{{tool.arguments.x}}'], { x: -1 }],
  [['{{tool.arguments.x}}'], { x: 'a-b' }],
  [['{{tool.name}}', '', 'fixed', '{{context.root}}'], { x: '-a' }],
])('%j with %j is no reason to warn', ([words, values]) => {
  expect(render(words, values)).toMatchObject({ ok: true, warnings: [] })
})
