import { toLastState } from '@toolblocks/protocol/internal'
import xterm from '@xterm/headless'
import fc from 'fast-check'
import { expect, test } from 'vitest'

/** Returns the rows of a terminal that is wider than any line of the texts. */
async function showInTerminal(text: string): Promise<readonly string[]> {
  const terminal = new xterm.Terminal({
    cols: 400,
    rows: 20,
    allowProposedApi: true,
    logLevel: 'off',
  })
  await new Promise<void>((done) => {
    terminal.write(text.replaceAll('\n', '\r\n'), done)
  })
  const { active } = terminal.buffer
  return Array.from({ length: 20 }, (_, row) => active.getLine(row)?.translateToString(true) ?? '')
}

const piece = fc.oneof(
  fc.constantFrom(
    '\r',
    '\b',
    '\n',
    '\r\n',
    ' ',
    '\u001B[K',
    '\u001B[1K',
    '\u001B[2K',
    '\u001B[31m',
    '\u001B[m',
  ),
  fc.string({ unit: fc.constantFrom('a', 'b', '%', '█'), maxLength: 6 }),
  fc
    .tuple(fc.constantFrom('C', 'D', 'G'), fc.constantFrom('', '0', '1', '2', '7'))
    .map(([final, count]) => `\u001B[${count}${final}`),
)

test('the last state of a text looks in a terminal like the text', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) => {
      const lines = pieces.join('').split('\n').slice(0, 18).join('\n')
      const { text } = toLastState(lines)
      // oxlint-disable-next-line no-control-regex -- these are controls
      expect(text).not.toMatch(/[\b]|\r(?![\r\n]|$)|\u001B\[\d*[CDGK]/)
      expect(await showInTerminal(text)).toEqual(await showInTerminal(lines))
    }),
    {
      examples: [[['a', '\u001B[2K', 'a', '\u001B[D', '\u001B[K']]],
    },
  )
})
