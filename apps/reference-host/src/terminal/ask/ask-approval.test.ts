import type { ToolResult } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { previewArguments } from './ask-approval.ts'

const call = { id: 'c', name: 'run', arguments: { command: 'rm -rf build' } }
const renderOptions = { colors: 'none', columns: 40, root: '/w' } as const
const ARGUMENT_LINE = 'command: rm -rf build'

test('an approval shows what the tool asks to hide', () => {
  const formatted: ToolResult = {
    content: [],
    isError: false,
    structuredContent: {
      kind: 'text',
      data: { content: 'rm -rf build' },
      display: { preferredView: 'hidden' },
    },
  }
  expect(previewArguments(call, formatted, renderOptions)).toBe(`rm -rf build\n\n${ARGUMENT_LINE}`)
})

test('an approval does not use colours that hide text', () => {
  const text = 'ls\u001B[31m\u001B[41m; rm -rf build'
  const formatted: ToolResult = { content: [{ type: 'text', text }], isError: false }
  const [firstLine] = previewArguments(call, formatted, { ...renderOptions, colors: 'ansi' }).split(
    '\n',
  )
  expect(firstLine).toBe('ls\u001B[31m; rm -rf build\u001B[0m')
})

test("an approval does not cut the tool's presentation of the arguments: no line, and no cell of a table", () => {
  const rows = Array.from({ length: 60 }, (_, index) => ({
    a: `${index} ${'word '.repeat(30)}END`,
    b: 'x',
  }))
  const data = { columns: [{ key: 'a' }, { key: 'b' }], rows }
  const formatted: ToolResult = {
    content: [],
    isError: false,
    structuredContent: { kind: 'table', data },
  }
  const preview = previewArguments(call, formatted, renderOptions)
  expect(preview.match(/END/g)).toHaveLength(60)
  expect(preview).not.toContain('…')
})

test('arguments are complete, each with its name, even if no tool formats them', () => {
  const values = { path: 'a'.repeat(500), deep: { a: { b: 'rm -rf build' } }, last: 'seen' }
  const preview = previewArguments({ ...call, arguments: values }, undefined, renderOptions)
  expect(preview.replaceAll(/\s/g, '')).toContain(`path:${'a'.repeat(500)}deep:`)
  expect(preview).toContain('│     "b": "rm -rf build"')
  expect(preview).toMatch(/^last: seen$/m)
})
