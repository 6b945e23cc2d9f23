import fc from 'fast-check'
import { renderTerminal } from '@toolblocks/renderer'
import { loadContentReaders } from '@toolblocks/renderer/readers'
import { expect, test } from 'vitest'
import { toModelResults } from '@toolblocks/viewer/reading'
import { streamMarkdown } from './stream-markdown.ts'

const readers = await loadContentReaders('all')

/** Returns what is written for each piece. */
function stream(
  pieces: readonly string[],
  { columns = 40, colors = 'none' }: { columns?: number; colors?: 'none' | 'ansi' } = {},
): readonly string[] {
  const written: string[] = []
  const streamed = streamMarkdown({
    write: (text) => void written.push(text),
    columns,
    render: (markdown, width) => {
      if (readers.readMarkdown(markdown)?.length === 0) return undefined
      const [result] = toModelResults([{ type: 'text', text: markdown }])
      return (
        result && renderTerminal(result, { colors, columns: width, readers, maxLines: Infinity })
      )
    },
  })
  for (const piece of pieces) streamed.add(piece)
  streamed.finish()
  return written
}

const whole = (...args: Parameters<typeof stream>): string => stream(...args).join('')
const splitWords = (text: string): readonly string[] => text.split(/(?<= )|(?=\n)/)

const ANSWER = `# The lamp

It is **lit**, see \`lamp.ts\` and [the manual](https://lamp.example/manual) for all that there is to know of it.

- first, with *weight*
- second
  - below it
1. one
2. two

\`\`\`ts
const lamp = 'lit' // yes
if (lamp) go()
\`\`\`

| name | state |
| --- | --- |
| a | **on** |
| b | off |

> What was said.
Done.`

test('headings, words, lists, code, tables and quotes are written when they are complete', () => {
  expect(whole(splitWords(ANSWER))).toMatchInlineSnapshot(`
    "# The lamp

    It is lit, see \`lamp.ts\` and the manual
    (https://lamp.example/manual) for all
    that there is to know of it.

    • first, with weight
    • second
      • below it
    1. one
    2. two

    │ const lamp = 'lit' // yes
    │ if (lamp) go()

    name  state
    ────  ─────
    a     on
    b     off

    ▌ What was said.
    Done.
    "
  `)
})

test('a word is written before its line is complete, and marked text when its marks are closed', () => {
  const written = stream(['It is ', '**very', ' lit** ', 'and `wa', 'rm` now'], { colors: 'ansi' })
  const pieces = written.filter((text) => text !== '')
  expect(pieces).toEqual([
    'It is',
    ' \u001B[1mvery lit\u001B[22m',
    ' and',
    ' \u001B[36mwarm\u001B[39m',
    ' now',
    '\n',
  ])
})

test('code is highlighted line by line, also if a line depends on those before it', () => {
  const written = whole(['```ts\n/* a\n', 'const b */\nconst c = 1\n', '```\n'], { colors: 'ansi' })
  const [first, second, third] = written.split('\n')
  expect(first).toContain('\u001B[2m/* a')
  expect(second).toContain('\u001B[2mconst b */')
  expect(third).toContain('\u001B[35mconst\u001B[39m c = \u001B[33m1')
})

test('a nested fence does not end the code, and an open fence ends with the message', () => {
  expect(whole(['````md\n```\n~~~~\n````\nplain\n```sh\nls'])).toMatchInlineSnapshot(`
    "│ \`\`\`
    │ ~~~~
    plain
    │ ls
    "
  `)
})

test('text without spaces is written as it arrives', () => {
  const written = stream(Array.from('字'.repeat(100)))
  expect(written.length).toBeGreaterThan(30)
  expect(written.join('').replaceAll('\n', '')).toBe('字'.repeat(100))
  expect(
    Math.max(
      ...written
        .join('')
        .split('\n')
        .map((row) => row.length),
    ),
  ).toBe(20)
})

test('an unclosed mark delays only a few words', () => {
  const written = stream(splitWords(`2 * 3 and **${' word'.repeat(200)}`)).filter(
    (text) => text !== '',
  )
  expect(written.length).toBeGreaterThan(20)
})

test('law: for every split into pieces, all letters are written, in rows that fit, and no sequence acts on the terminal', () => {
  const signs = ['**', '*', '_', '`', '```', '~~~', '|', '\n', ' ', '  ', '- ', '1. ', '# ', '> ']
  const others = ['a', 'word', '字', '\u001B[2K', '\r', '\\', '[', '](', ')', '<b>']
  const sign = fc.constantFrom(...signs, ...others)
  const law = fc.property(
    fc.array(sign, { maxLength: 60 }),
    fc.integer({ min: 1, max: 9 }),
    (typedSigns, size) => {
      const text = typedSigns.join('')
      const written = whole(text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [])
      expect(written).not.toContain('\r')
      expect(written).not.toContain('\u001B')
      const rows = written.split('\n').map((row) => row.length)
      expect(Math.max(...rows)).toBeLessThanOrEqual(40)
      const letters = (from: string): string => from.replaceAll(/[^a-z字]/g, '')
      // The name of a language, the address of a link and the cells of a table are written elsewhere, or not at all.
      fc.pre(!/[[\]`~|]/.test(text))
      expect(letters(written)).toBe(letters(text))
    },
  )
  fc.assert(law, { numRuns: 300 })
})
