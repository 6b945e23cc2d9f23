import { createRequire } from 'node:module'
import { test } from 'vitest'
import type * as sanitizing from './sanitize-terminal-text.ts'

const SIZE = 1_000_000
/** Read from bytes, like every tool's output. */
const fill = (text: string): string =>
  Buffer.from(text.repeat(Math.ceil(SIZE / Buffer.byteLength(text)))).toString('utf8')

const inputs = {
  'plain ASCII': fill('export function add(one: number, other: number): number {\n'),
  'text beyond ASCII': fill('Größe und Länge – “naïve”, 漢字かな交じり文。\n'),
  'lines that end in CRLF': fill('export function add(one: number, other: number): number {\r\n'),
  'a coloured test report': fill(
    '\u001B[32m✓\u001B[39m \u001B[1;38;2;10;20;30mtest name\u001B[0m\n',
  ),
  'a parameter bomb': `\u001B[${'1;'.repeat(SIZE / 2)}m`,
  'a flood of ESC ]': fill('\u001B]'),
  'a flood of colours': fill('\u001B[1;31;48;5;3m'),
  'a flood of joiners': fill('\u200D'),
}

// Loaded by Node itself, because the test runner makes every access to an import slow.
const { sanitizeTerminalText } = createRequire(import.meta.url)(
  './sanitize-terminal-text.ts',
) as typeof sanitizing

for (const [name, text] of Object.entries(inputs)) {
  test(`1 MB of ${name}: operations per second are MB/s`, async ({ bench }) => {
    await bench('sanitizeTerminalText', () => {
      sanitizeTerminalText(text)
    }).run()
  })
}
