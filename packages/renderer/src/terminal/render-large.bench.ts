import { createRequire } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { structuredPatch } from 'diff/lib/patch/create.js'
import { createLowlight } from 'lowlight'
import typescript from 'highlight.js/lib/languages/typescript'
import { expect, test } from 'vitest'
import type { ToolResult } from '@toolblocks/protocol'
import { loadContentReaders } from '../readers/load-content-readers.ts'
import type * as pages from '../html/render-html.ts'
import type * as rendering from './render-terminal.ts'

// Loaded by Node itself, because the test runner makes every access to an import slow.
const load = createRequire(import.meta.url)
const { renderTerminal } = load('./render-terminal.ts') as typeof rendering
const { renderHtml } = load('../html/render-html.ts') as typeof pages

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
const makeResult = (structuredContent: unknown): ToolResult => ({
  content: [],
  isError: false,
  structuredContent,
})
const diff = makeResult({
  kind: 'diff',
  data: { path: 'a.ts', original: before, modified: after, isNew: false },
})
const table = makeResult({
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
const file = makeResult({
  kind: 'file_content',
  data: { path: 'a.ts', content: megabyte, size: megabyte.length },
})
const readers = await loadContentReaders()
const lowlight = createLowlight({ typescript })
const whole = { readers, columns: 120, colors: 'ansi', maxLines: Infinity } as const
const page = { readers, maxLines: Infinity } as const
const cut = { readers, columns: 120, colors: 'ansi' } as const

/** A few rounds are enough for work of tenths of a second. */
const rounds = { iterations: 5, time: 0, warmupIterations: 1, warmupTime: 0 }
const collect = exposeCollector()

/** Reports how much the heap grows by one round: kept values and garbage. */
function tellMemory(what: string, work: () => unknown): void {
  collect()
  const held = process.memoryUsage().heapUsed
  const kept = work()
  const grown = (process.memoryUsage().heapUsed - held) / 1_000_000
  // Kept until the heap is measured.
  process.stdout.write(`${what}: ${grown.toFixed(0)} MB of ${typeof kept}\n`)
}

function exposeCollector(): () => void {
  setFlagsFromString('--expose-gc')
  const found: unknown = runInNewContext('gc')
  return typeof found === 'function' ? () => void found() : () => {}
}

test('a diff of 5,000 lines', async ({ bench }) => {
  const alone = (): unknown =>
    structuredPatch('', '', before, after, '', '', { context: 3, maxEditLength: 1000 })
  await bench.compare(
    bench('diff: structuredPatch alone', () => void alone()),
    bench('diff: whole', () => void renderTerminal(diff, whole)),
    bench('diff: cut to 40 lines', () => void renderTerminal(diff, cut)),
    bench('diff: on a page', () => void renderHtml(diff, page)),
    rounds,
  )
  tellMemory('diff: structuredPatch alone', alone)
  tellMemory('diff: whole', () => renderTerminal(diff, whole))
  expect(renderTerminal(diff, cut)).toContain('more lines')
})

test('a table of 10,000 rows', async ({ bench }) => {
  const alone = (): unknown => JSON.stringify(table)
  await bench.compare(
    bench('table: JSON.stringify alone', () => void alone()),
    bench('table: whole', () => void renderTerminal(table, whole)),
    bench('table: cut to 40 rows', () => void renderTerminal(table, cut)),
    bench('table: on a page', () => void renderHtml(table, page)),
    rounds,
  )
  tellMemory('table: JSON.stringify alone', alone)
  tellMemory('table: whole', () => renderTerminal(table, whole))
  expect(renderTerminal(table, cut)).toContain('more rows')
})

test('1 MB of code', async ({ bench }) => {
  const alone = (): unknown => lowlight.highlight('typescript', megabyte)
  await bench.compare(
    bench('code: lowlight alone', () => void alone()),
    bench('code: whole', () => void renderTerminal(file, whole)),
    bench('code: cut to 40 lines', () => void renderTerminal(file, cut)),
    bench('code: on a page', () => void renderHtml(file, page)),
    rounds,
  )
  tellMemory('code: lowlight alone', alone)
  tellMemory('code: whole', () => renderTerminal(file, whole))
  expect(renderTerminal(file, cut)).toContain('more lines')
})
