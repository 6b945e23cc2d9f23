import { expect, test } from 'vitest'
import { appendTool, tableOf } from './append-tool.ts'

const TABLE = tableOf('greet', ['node', 'tools/greet.mts'])

test.for<[string, string]>([
  ['', TABLE],
  ['# mine', `# mine\n\n${TABLE}`],
  ['# mine\n', `# mine\n\n${TABLE}`],
  ['# mine\n\n', `# mine\n\n${TABLE}`],
  ['[format]\r\n', `[format]\r\n\r\n${TABLE.replaceAll('\n', '\r\n')}`],
])('%j stays as it is, and the table comes last', async ([text, expected]) => {
  expect(await appendTool(text, 'greet', TABLE)).toBe(expected)
})

test('a table that takes no more is said', async () => {
  expect(await appendTool('tools = {}\n', 'greet', TABLE)).toBeUndefined()
})
