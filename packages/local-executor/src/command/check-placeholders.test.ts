import { parametersToSchema, type JsonSchema } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { checkPlaceholders } from './check-placeholders.ts'
import { readCommand } from './command.ts'

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
