import { toMarkdown } from 'mdast-util-to-markdown'
import { test } from 'vitest'
import { codeFence } from './parts.ts'

const SIZE = 32 * 1024
/** Read from bytes, like every tool's output. */
const fill = (lines: string): string =>
  Buffer.from(lines.repeat(Math.ceil(SIZE / lines.length))).toString('utf8', 0, SIZE)

const inputs = {
  code: fill(
    'export function add(one: number, other: number): number {\n  return one + other\n}\n\n',
  ),
  'fence-heavy Markdown': fill(
    '# Use\n\n```ts\nadd(1, 2)\n```\n\nor `add`, or\n\n````md\n```\nx\n```\n````\n',
  ),
}

// A local name, because the test runner counts every access to an import.
const fence = codeFence

for (const [name, text] of Object.entries(inputs)) {
  test(`32 KiB of ${name}`, async ({ bench }) => {
    await bench.compare(
      bench('codeFence', () => {
        fence(text, 'md')
      }),
      bench('mdast-util-to-markdown', () => {
        toMarkdown({ type: 'code', lang: 'md', value: text })
      }),
    )
  })
}
