import xterm from '@xterm/headless'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { COLUMNS, ROWS } from './pseudo-terminal.ts'
import {
  type Screen,
  boundControl,
  boundEscape,
  createOutputBound,
  createScreen,
} from './screen.ts'

/** Returns the screen of a program, and the answers that it sent to the program. */
function seat(): { screen: Screen; sent: string[] } {
  const sent: string[] = []
  const screen = createScreen(xterm.Terminal, {
    type: (text) => void sent.push(text),
    pause: () => void sent.push('pause'),
    resume: () => void sent.push('resume'),
  })
  open.push(screen)
  return { screen, sent }
}

const open: Screen[] = []

afterEach(() => {
  for (const screen of open.splice(0)) screen.close()
})

async function readScreen(...texts: readonly string[]): Promise<string> {
  const { screen } = seat()
  for (const text of texts) screen.write(text)
  return await screen.read()
}

test.for([
  ['lines put in', 'L'],
  ['lines taken out', 'M'],
  ['scrolling up', 'S'],
  ['scrolling down', 'T'],
])(
  '%s, a hundred million of them, are processed at once and empty the screen',
  async ([, final]) => {
    expect(await readScreen(`a\r\nb\u001B[H\u001B[99999999${final}`.repeat(50))).toBe('')
  },
)

test('a character repeated two thousand million times fills the screen', async () => {
  const screen = await readScreen('x\u001B[2147483647b'.repeat(20))
  expect(screen.split('\n').map((line) => line.length)).toEqual([...Array<number>(23).fill(80), 20])
})

test('output with counts that fit looks the same with and without the filter', async () => {
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
      expect(await readScreen(text)).toBe(lines.join('\n').trimEnd())
    }),
    { numRuns: 200 },
  )
})

test('a program that writes faster than its screen is drawn waits, and continues afterwards', async () => {
  const { screen, sent } = seat()
  screen.write('y\n'.repeat(40_000))
  expect(sent).toEqual(['pause'])
  await screen.read()
  expect(sent).toEqual(['pause', 'resume'])
})

test('a program that asks without end receives 256 answers between two reads', async () => {
  const { screen, sent } = seat()
  screen.write('\u001B[6n'.repeat(5000))
  await screen.read()
  const answers = (): number => sent.filter((text) => text.startsWith('\u001B')).length
  expect(answers()).toBe(256)
  screen.write('\u001B[6n')
  await screen.read()
  expect(answers()).toBe(257)
})

test('a cell of the screen does not grow with the marks added to it', async () => {
  expect(await readScreen(`a${'\u0301'.repeat(100_000)}`)).toBe(`a${'\u0301'.repeat(8)}`)
  expect((await readScreen('ab\u001B[2D\u0301\u001B[C'.repeat(100))).length).toBeLessThan(200)
})

describe('CSI', () => {
  test.for([
    ['', '@ABCDEFGHIJKLMPSTXZ`abcdefghlnrsu'],
    ['?', 'hlJKn'],
    ['>', 'c'],
  ] as const)('%j has its final characters, and no others', ([marker, finals]) => {
    const all = Array.from({ length: 63 }, (_, offset) => String.fromCharCode(64 + offset))
    const kept = all.filter((final) => boundControl(`${marker}1`, final) !== '')
    expect(kept.toSorted()).toEqual(Array.from(finals).toSorted())
    expect(boundControl(`${marker}1`, finals.charAt(0))).toBe(
      `\u001B[${marker}1${finals.charAt(0)}`,
    )
  })

  test.for([
    ['A', COLUMNS],
    ['H', COLUMNS],
    ['b', ROWS * COLUMNS],
    ['L', ROWS],
    ['M', ROWS],
    ['S', ROWS],
    ['T', ROWS],
    ['h', 9999],
    ['l', 9999],
    ['n', 9999],
  ] as const)('%s has a maximum count: %d', ([final, largest]) => {
    const bounded = (number: number): string => boundControl(`${number};5`, final)
    expect(bounded(largest)).toBe(`\u001B[${largest};5${final}`)
    expect(bounded(largest + 1)).toBe(`\u001B[${largest};5${final}`)
    expect(boundControl(`3;${'9'.repeat(40)}`, final)).toBe(`\u001B[3;${largest}${final}`)
  })

  test.for(['!', ' q', '=1', '<1', '1?', '1 ', '?>1', 'x1'])(
    '%j does not reach the screen',
    (collected) => {
      expect(boundControl(collected, 'h')).toBe('')
    },
  )

  test('a soft reset is kept, and so are parts of parameters', () => {
    expect(boundControl('!', 'p')).toBe('\u001B[!p')
    expect(boundControl('', 'p')).toBe('')
    expect(boundControl('38:5;007', 'm')).toBe('')
    expect(boundControl('4:3;007', 'r')).toBe('\u001B[4:3;7r')
    expect(boundControl('', 'H')).toBe('\u001B[H')
  })
})

describe('ESC', () => {
  test('keeps the cursor, moves by lines, sets tabs and resets, and nothing else', () => {
    const all = Array.from({ length: 79 }, (_, offset) => String.fromCharCode(48 + offset))
    expect(all.filter((final) => boundEscape('', final) !== '').join('')).toBe('78DEHMc')
    expect(boundEscape('', '7')).toBe('\u001B7')
  })

  test('chooses a character set, and fills the screen', () => {
    for (const sequence of ['(B', ')0', '*~', '+0', '#8'])
      expect(boundEscape(sequence.charAt(0), sequence.charAt(1))).toBe(`\u001B${sequence}`)
    for (const [collected, final] of [
      ['#', '7'],
      [' ', 'F'],
      ['((', 'B'],
      ['(', '/'],
      ['-', 'B'],
      ['(B', 'c'],
    ] as const)
      expect(boundEscape(collected, final)).toBe('')
  })
})

const ESC = '\u001B'

const bound = (text: string): string => createOutputBound()(text)

describe('counts are limited to the size of the screen', () => {
  test.for([
    ['lines put in, out and scrolled', '99999999', 'LMST', '24'],
    ['characters repeated', '2147483647', 'b', '1920'],
    ['moves, tab stops, and characters put in and out', '5000', 'ABCDEFGIZ@PX`ad', '80'],
    ['what fits', '7', 'LMSTbABCDGIZ@PX', '7'],
  ])('%s', ([, count, finals = '', bounded]) => {
    for (const final of finals)
      expect(bound(`${ESC}[${count}${final}`)).toBe(`${ESC}[${bounded}${final}`)
  })

  test('each of several', () => {
    expect(bound(`${ESC}[999;888H`)).toBe(`${ESC}[80;80H`)
    expect(bound(`${ESC}[1;2147483648r`)).toBe(`${ESC}[1;80r`)
  })
})

test.for([
  ['text, also beyond ASCII', 'a é 漢字 😀'],
  ['line ends, tabs, and moves back', 'a\r\n\tb\bc'],
  ['erasures and moves', `${ESC}[2J${ESC}[H${ESC}[K${ESC}[3;4H${ESC}[s${ESC}[u`],
  ['modes', `${ESC}[?1049h${ESC}[?7l${ESC}[4h`],
  ['line drawing', `${ESC}(0lqk${ESC}(B${ESC})0\u000Ex\u000F`],
  [
    'cursors kept, line moves, resets',
    `${ESC}7${ESC}8${ESC}M${ESC}D${ESC}E${ESC}c${ESC}[!p${ESC}#8`,
  ],
  ['questions about the cursor and the terminal', `${ESC}[6n${ESC}[c${ESC}[>c`],
  ['a letter with its marks', 'e\u0301\u0323'],
])('%s reach the screen', ([, text = '']) => {
  expect(bound(text)).toBe(text)
})

test.for([
  ['colours', `a${ESC}[1;31mb`, 'ab'],
  ['titles', `a${ESC}]0;title\u0007b${ESC}]2;x${ESC}\\c`, 'abc'],
  ['pictures', `a${ESC}Pq#0!9~\u0007${ESC}\\b`, 'ab'],
  ['a string that CAN ends', `a${ESC}_x\u0018b`, 'ab'],
  ['bells, NUL and DEL', 'a\u0007\0\u007Fb', 'ab'],
  ['window operations', `a${ESC}[8;9999;9999tb`, 'ab'],
  ['what nothing is known of', `a${ESC}[1"qb${ESC}[=1ub${ESC}Zc${ESC}[5éd`, 'abbcd'],
  ['eight-bit strings', 'a\u009D0;t\u009Cb\u0090q\u009Cc\u0085d', 'abcd'],
  ['a sequence of thousands of parameters', `a${ESC}[${'1;'.repeat(5000)}Hb`, 'ab'],
])('%s do not', ([, text = '', rest]) => {
  expect(bound(text)).toBe(rest)
})

test('an eight-bit control sequence is bounded as well', () => {
  expect(bound('\u009B99999L')).toBe(`${ESC}[24L`)
})

test('controls within a sequence are executed, as in a terminal', () => {
  expect(bound(`${ESC}[99\n99L`)).toBe(`\n${ESC}[24L`)
})

test('a letter has at most eight marks, and none after a move', () => {
  expect(bound(`a${'\u0301'.repeat(1000)}`)).toBe(`a${'\u0301'.repeat(8)}`)
  expect(bound(`a${ESC}[D\u0301`)).toBe(`a${ESC}[D`)
  expect(bound(`a\b\u0301`)).toBe('a\b')
})

const pieces = [
  [ESC, '[', ']', 'P', '\\', '\u009B', '\u009D', '\u0018', '\u0007', '\n', ';', '?', '>', '!', ' '],
  ['99999999', '2147483647', '1', '24', 'L', 'b', 'S', 'T', 'M', 'H', 'm', 'h', 't', 'J', '#', '('],
  ['a', '\u0301', '\u1160', '漢', '😀', `${ESC}[999999L`, `${ESC}[2147483647b`],
].flat()

const hostile = fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((all) => all.join(''))

test('only allowed output is produced, for any input', () => {
  const known =
    // oxlint-disable-next-line no-control-regex -- they are what may come out
    /\u001B(?:\[(?:[?>]?[\d;:]*[@-z]|!p)|[78DEHMc]|[()*+][0-~]|#8)|[\b\t\n\v\f\r\u000E\u000F]/g
  fc.assert(
    fc.property(hostile, (text) => {
      const bounded = bound(text)
      for (const [sequence] of bounded.matchAll(known))
        for (const [digits] of sequence.matchAll(/\d+(?![\d]*[hln])/g))
          expect(Number(digits)).toBeLessThanOrEqual(9999)
      // oxlint-disable-next-line no-control-regex -- a sequence begins with one
      for (const [, count] of bounded.matchAll(/\u001B\[(\d+)[LMST]/g))
        expect(Number(count)).toBeLessThanOrEqual(24)
      // oxlint-disable-next-line no-control-regex -- what must not be left
      expect(bounded.replaceAll(known, '')).not.toMatch(/[\0-\x1F\x7F-\x9F]/)
      expect(bound(bounded)).toBe(bounded)
    }),
    { numRuns: 5000 },
  )
})

test('pieces cut anywhere give the same output as the complete text', () => {
  fc.assert(
    fc.property(hostile, fc.infiniteStream(fc.integer({ min: 1, max: 4 })), (text, sizes) => {
      const push = createOutputBound()
      let written = ''
      const units = Array.from(text)
      while (units.length > 0) written += push(units.splice(0, sizes.next().value ?? 1).join(''))
      expect(written).toBe(bound(text))
    }),
    { numRuns: 2000 },
  )
})
