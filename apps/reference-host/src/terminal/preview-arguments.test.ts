import type { ToolResult } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { previewArguments } from './preview-arguments.ts'

const call = { id: 'c', name: 'run', arguments: { command: 'rm -rf build' } }
const place = { colors: 'ansi', root: '/w' } as const

test('what a person approves is shown, though the tool asks to hide it', () => {
  const formatted: ToolResult = {
    content: [],
    isError: false,
    structuredContent: {
      kind: 'text',
      data: { content: 'rm -rf build' },
      display: { preferredView: 'hidden' },
    },
  }
  expect(previewArguments(call, formatted, place)).toBe('rm -rf build')
})

test('it is shown in no colours that hide it', () => {
  const text = 'ls\u001B[31m\u001B[41m; rm -rf build'
  const formatted: ToolResult = { content: [{ type: 'text', text }], isError: false }
  expect(previewArguments(call, formatted, place)).toBe('ls\u001B[31m; rm -rf build\u001B[0m')
})

test('arguments that no tool formats are JSON', () => {
  expect(previewArguments(call, undefined, place)).toBe('{"command":"rm -rf build"}')
})
