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

test('an argument below 100 KiB is passed, one of 100 KiB is refused with advice to read stdin', () => {
  const text = 'ä'.repeat(MAX_ARGUMENT_BYTES / 2 - 1)
  expect(render(['{{tool.arguments.x}}'], { x: text })).toMatchObject({ ok: true, args: [text] })
  const refused = render(['{{tool.arguments.x}}'], { x: `${text}ä` })
  expect(refused).toMatchObject({ ok: false })
  expect(!refused.ok && refused.message).toMatch(
    /^The argument \{\{tool\.arguments\.x\}\} has 102400 bytes.* below 102400\. Let the tool read .* stdin/,
  )
})

test('arguments of 1 MiB together are refused', () => {
  const count = Math.ceil(MAX_ARGUMENTS_BYTES / (MAX_ARGUMENT_BYTES - 1))
  const words = Array.from({ length: count }, () => '{{tool.arguments.x}}')
  const refused = render(words, { x: 'x'.repeat(MAX_ARGUMENT_BYTES - 1) })
  expect(!refused.ok && refused.message).toMatch(/together they must stay below 1048576.*stdin/)
})

test('a NUL character is refused', () => {
  const refused = render(['{{tool.arguments.x}}'], { x: 'a\0b' })
  expect(!refused.ok && refused.message).toMatch(
    /\{\{tool\.arguments\.x\}\} contains a NUL character/,
  )
})

test('text from a model that starts with a dash is passed with a warning', () => {
  const rendered = render(['-v', '{{tool.arguments.x}}'], { x: '--output=/etc/passwd' })
  expect(rendered).toMatchObject({
    ok: true,
    args: ['-v', '--output=/etc/passwd'],
    warnings: [{ path: '/tool/arguments/x', code: 'argument-like-option' }],
  })
})

test.for<[readonly string[], Record<string, unknown>]>([
  [['--', '{{tool.arguments.x}}'], { x: '-a' }],
  [['--x={{tool.arguments.x}}'], { x: '-a' }],
  [['{{tool.options.x}}'], { x: '-a' }],
  [['{{tool.arguments.x}}'], { x: -1 }],
  [['{{tool.arguments.x}}'], { x: 'a-b' }],
])('%j with %j is no reason to warn', ([words, values]) => {
  expect(render(words, values)).toMatchObject({ ok: true, warnings: [] })
})
