import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as limits from './limits.ts'

const MIB = 2 ** 20
const written = readFileSync(new URL('../../../../docs/protocol.md', import.meta.url), 'utf8')

test.for([
  ['| output that is parsed ', `${limits.MAX_OUTPUT_BYTES / MIB} MiB`],
  ['| nesting ', `${limits.MAX_JSON_DEPTH} levels`],
  ['| values in one document ', limits.MAX_JSON_NODES.toLocaleString('en')],
  ['| blocks, questions ', `${limits.MAX_CONTENT_BLOCKS.toLocaleString('en')} blocks`],
  ['| blocks, questions ', `these ${limits.MAX_QUESTIONS} questions`],
  ['| a uri ', `${(limits.MAX_URI_BYTES * 1024) / MIB} KiB`],
  ['| programs at a time ', `${limits.MAX_RUNNING_PROGRAMS} that run once`],
  ['| programs at a time ', `${limits.MAX_LIVE_PROGRAMS} that stay alive`],
  [
    'The program must end with exit code 0',
    `one document of at most ${limits.MAX_DESCRIPTION_BYTES / MIB} MiB`,
  ],
] as const)('docs/protocol.md has the limit for authors of tools: %s… %s', ([start, expected]) => {
  expect(written.split('\n').find((line) => line.startsWith(start))).toContain(expected)
})

test('less is parsed without a scan than is read', () => {
  expect(limits.MAX_UNSCANNED_BYTES).toBe(2 * MIB)
  expect(limits.MAX_UNSCANNED_BYTES).toBeLessThan(limits.MAX_OUTPUT_BYTES)
})

const page = readFileSync(new URL('../../../../docs/limits.md', import.meta.url), 'utf8')
const rows = [...page.matchAll(/^\| [^|]+\| `([A-Z_]+)` +\| ([^|]+?) +\|/gm)].map(
  ([, name = '', value = '']) => [name, value] as const,
)

/** Formats a limit like the document. */
function inWords(name: string, value: number): string {
  if (name.endsWith('_MS')) return `${value / 1000} s`
  if (!name.endsWith('_BYTES')) return value.toLocaleString('en')
  const [unit, size] = (
    [
      ['GiB', 2 ** 30],
      ['MiB', MIB],
      ['KiB', 1024],
    ] as const
  ).find(([, each]) => value >= each) ?? ['bytes', 1]
  return `${value / size} ${unit}`
}

test('docs/limits.md lists every limit with its value, and no other', () => {
  const expected = Object.entries(limits).map(
    ([name, value]) => [name, inWords(name, value)] as const,
  )
  expect(new Map(rows)).toEqual(new Map(expected))
  expect(rows).toHaveLength(expected.length)
})
