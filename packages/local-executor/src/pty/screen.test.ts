import xterm from '@xterm/headless'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { createScreen, type Screen } from './screen.ts'

/** The side of a program, and what it was told. */
function seat(): { screen: Screen; told: string[] } {
  const told: string[] = []
  const screen = createScreen(xterm.Terminal, {
    type: (text) => void told.push(text),
    pause: () => void told.push('pause'),
    resume: () => void told.push('resume'),
  })
  open.push(screen)
  return { screen, told }
}

const open: Screen[] = []
afterEach(() => {
  for (const screen of open.splice(0)) screen.close()
})

async function shown(...texts: readonly string[]): Promise<string> {
  const { screen } = seat()
  for (const text of texts) screen.write(text)
  return await screen.read()
}

test.for([
  ['lines put in', 'L'],
  ['lines taken out', 'M'],
  ['scrolling up', 'S'],
  ['scrolling down', 'T'],
])('%s, a hundred million of them, are done at once and empty the screen', async ([, final]) => {
  expect(await shown(`a\r\nb\u001B[H\u001B[99999999${final}`.repeat(50))).toBe('')
})

test('a character repeated two thousand million times fills the screen', async () => {
  const screen = await shown('x\u001B[2147483647b'.repeat(20))
  expect(screen.split('\n').map((line) => line.length)).toEqual([...Array<number>(23).fill(80), 20])
})

test('what a program draws with counts that fit looks as without the bound', async () => {
  const count = fc.nat(30).map(String)
  const piece = fc.oneof(
    fc.constantFrom('text ', '漢字', 'e\u0301', '\r', '\n', '\t', '\b', '\u001B7', '\u001B8'),
    fc.constantFrom(
      '\u001B[31m',
      '\u001B[J',
      '\u001B[1J',
      '\u001B[K',
      '\u001BM',
      '\u001B(0q\u001B(B',
    ),
    fc
      .tuple(count, fc.constantFrom(...Array.from('@ABCDEFGHLMPSTXd')))
      .map(([n, f]) => `\u001B[${n}${f}`),
    fc.tuple(count, count).map(([row, column]) => `\u001B[${row};${column}H`),
  )
  const drawing = fc.array(piece, { maxLength: 40 }).map((all) => all.join(''))
  await fc.assert(
    fc.asyncProperty(drawing, async (text) => {
      const plain = new xterm.Terminal({
        rows: 24,
        cols: 80,
        scrollback: 0,
        allowProposedApi: true,
      })
      await new Promise<void>((done) => {
        plain.write(text, done)
      })
      const { active } = plain.buffer
      const lines = Array.from({ length: 24 }, (_, row) =>
        (active.getLine(active.viewportY + row)?.translateToString(true) ?? '').trimEnd(),
      )
      plain.dispose()
      expect(await shown(text)).toBe(lines.join('\n').trimEnd())
    }),
    { numRuns: 200 },
  )
})

test('a program that writes faster than its screen is drawn waits, and goes on when it has been', async () => {
  const { screen, told } = seat()
  screen.write('y\n'.repeat(40_000))
  expect(told).toEqual(['pause'])
  await screen.read()
  expect(told).toEqual(['pause', 'resume'])
})

test('a program that asks without end is answered 256 times between two looks', async () => {
  const { screen, told } = seat()
  screen.write('\u001B[6n'.repeat(5000))
  await screen.read()
  const answers = (): number => told.filter((text) => text.startsWith('\u001B')).length
  expect(answers()).toBe(256)
  screen.write('\u001B[6n')
  await screen.read()
  expect(answers()).toBe(257)
})

test('a cell of the screen does not grow with the marks that are put on it', async () => {
  expect(await shown(`a${'\u0301'.repeat(100_000)}`)).toBe(`a${'\u0301'.repeat(8)}`)
  expect((await shown('ab\u001B[2D\u0301\u001B[C'.repeat(100))).length).toBeLessThan(200)
})
