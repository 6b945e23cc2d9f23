import { createRequire } from 'node:module'
import { structuredPatch } from 'diff/lib/patch/create.js'
import { createLowlight } from 'lowlight'
import typescript from 'highlight.js/lib/languages/typescript'
import { expect, test } from 'vitest'
import type { ToolResult } from '@toolblocks/protocol'
import { loadContentReaders } from '../readers/load-content-readers.ts'
import type * as rendering from './render-terminal.ts'

// Loaded by Node itself: the test runner makes every access to an import of a module slow.
const { renderTerminal } = createRequire(import.meta.url)(
  './render-terminal.ts',
) as typeof rendering

const lines = (count: number, change: string): string =>
  Array.from({ length: count }, (_, line) =>
    line % 10 === 0 ? `const value${line} = ${change} + ${line}\n` : `call(${line}, "text")\n`,
  ).join('')
const code = 'export function add(one: number, other: number): number {\n  return one + other\n}\n'
const [before, after, megabyte] = [
  lines(5000, 'before'),
  lines(5000, 'after'),
  code.repeat(Math.ceil(1_000_000 / code.length)),
]
const resultOf = (structuredContent: unknown): ToolResult => ({
  content: [],
  isError: false,
  structuredContent,
})
const diff = resultOf({
  kind: 'diff',
  data: { path: 'a.ts', original: before, modified: after, isNew: false },
})
const table = resultOf({
  kind: 'table',
  data: {
    columns: [{ key: 'id', type: 'number' }, { key: 'name' }, { key: 'note' }],
    rows: Array.from({ length: 10_000 }, (_, id) => ({
      id,
      name: `name ${id}`,
      note: '漢字 note',
    })),
  },
})
const file = resultOf({
  kind: 'file_content',
  data: { path: 'a.ts', content: megabyte, size: megabyte.length },
})
const readers = await loadContentReaders()
const lowlight = createLowlight({ typescript })
const whole = { readers, columns: 120, colors: 'ansi', maxLines: Infinity } as const
const cut = { readers, columns: 120, colors: 'ansi' } as const

test('a diff of 5,000 lines', async ({ bench }) => {
  await bench('structuredPatch alone', () => {
    structuredPatch('', '', before, after, '', '', { context: 3, maxEditLength: 1000 })
  }).run()
  await bench('whole', () => void renderTerminal(diff, whole)).run()
  await bench('cut to 40 lines', () => void renderTerminal(diff, cut)).run()
  expect(renderTerminal(diff, cut)).toContain('more lines')
})

test('a table of 10,000 rows', async ({ bench }) => {
  await bench('JSON.stringify alone', () => void JSON.stringify(table)).run()
  await bench('whole', () => void renderTerminal(table, whole)).run()
  await bench('cut to 40 rows', () => void renderTerminal(table, cut)).run()
  expect(renderTerminal(table, cut)).toContain('more rows')
})

test('1 MB of code', async ({ bench }) => {
  await bench('lowlight alone', () => void lowlight.highlight('typescript', megabyte)).run()
  await bench('whole', () => void renderTerminal(file, whole)).run()
  await bench('cut to 40 lines', () => void renderTerminal(file, cut)).run()
  expect(renderTerminal(file, cut)).toContain('more lines')
})
