import type { ToolRequest } from '@toolblocks/protocol'
import { describe, expect, test } from 'vitest'
import { readCommand } from './command.ts'
import { MAX_ARGUMENT_BYTES, MAX_ARGUMENTS_BYTES, renderArguments } from './template.ts'

function render(
  words: readonly string[],
  values: Record<string, unknown>,
  program: readonly string[] = ['program'],
): ReturnType<typeof renderArguments> {
  const read = readCommand([...program, ...words])
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

describe('text that begins with a dash', () => {
  const refused = (argument: string, beginning: string): object => ({
    ok: false,
    message: `The argument "${argument}" begins with a dash ("${beginning}"), so the program could take it for an option. Give it another beginning, such as ./ for a path; or write -- before its placeholder in the command, or allow_dash = true for the parameter.`,
  })

  test('is refused where the program could take it for an option, with its name and the ways out', () => {
    expect(render(['-v', '{{tool.arguments.x}}'], { x: '--output=/etc/passwd' })).toEqual(
      refused('x', '--output=/etc/passwd'),
    )
    expect(render(['{{tool.arguments.x}}', '--', 'y'], { x: '-a' })).toEqual(refused('x', '-a'))
    expect(render(['{{tool.arguments.x.0.b}}y'], { x: [{ b: '-' }] })).toEqual(
      refused('x.0.b', '-'),
    )
    expect(render(['{{tool.arguments.x}}'], { x: `-${'a'.repeat(99)}` })).toEqual(
      refused('x', `-${'a'.repeat(39)}…`),
    )
  })

  test('is refused where an empty value stands before it', () => {
    const words = ['{{tool.arguments.x}}{{tool.options.x}}{{tool.arguments.y}}']
    expect(render(words, { x: '', y: '-a' })).toEqual(refused('y', '-a'))
    expect(render(words, { x: 'b', y: '-a' })).toMatchObject({ ok: true })
  })

  test('is refused as an answer of a person too', () => {
    const read = readCommand(['program', '{{tool.answers.x}}'])
    if (!read.ok) throw new Error('not read')
    const request: ToolRequest = {
      context: { action: 'run', root: '/', access: null },
      tool: { name: 't', arguments: {}, answers: { x: '-a' }, options: {} },
    }
    expect(renderArguments(read.command.args, request)).toEqual({
      ok: false,
      message:
        'The answer "x" begins with a dash ("-a"), so the program could take it for an option. Give it another beginning, such as ./ for a path; or write -- before its placeholder in the command.',
    })
  })

  test('is refused behind the -- of what only starts the program', () => {
    expect(render(['{{tool.arguments.x}}'], { x: '-a' }, ['sudo', '-E', '--', 'rg'])).toEqual(
      refused('x', '-a'),
    )
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
  ])('is passed: %s', ([, [program = '', ...words], values]) => {
    expect(render(words, values, [program])).toMatchObject({ ok: true })
  })

  test('is passed to a program that is a script of the shell', () => {
    const command = { program: 'echo "$1"', args: ['{{tool.arguments.x}}'], shell: true }
    const read = readCommand(command)
    expect(read.ok && read.command.args.every(({ takesDash }) => takesDash)).toBe(true)
  })

  test('is passed where the definition allows the argument, or all that is in it', () => {
    const allowed = (words: readonly string[], allows: object): boolean => {
      const read = readCommand(['program', ...words], allows)
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

test('values that are no JSON are refused', () => {
  const rendered = render(['{{tool.arguments.x}}'], { x: { n: 1n } })
  expect(rendered).toEqual({
    ok: false,
    message:
      'The arguments of the call cannot be written as JSON: they nest too deeply, contain themselves, or hold a value that JSON does not know.',
  })
})
