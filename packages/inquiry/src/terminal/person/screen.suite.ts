import { Terminal } from '@xterm/headless'

/** A screen, and what can be waited for on it. */
export interface Screen {
  /** Gets what a program writes. */
  write: (data: string) => void
  /** Waits until the screen shows this. */
  sees: (what: string | RegExp) => Promise<string>
  /** Waits as long for something else, and fails with what the screen shows then. */
  until: <Value>(what: Promise<Value>) => Promise<Value>
  /** What can be seen: the rows of the window, without what was scrolled out of it. */
  text: () => string
  /** How the first character of this looks, where it is shown last: `yellow`, `dim strikethrough`; `plain` else. */
  look: (what: string) => string
  /** Everything that was written. */
  written: () => string
  resizes: (columns: number, rows: number) => void
  /** Nothing more will be written: draws what there is, and fails whoever still waits. */
  ends: () => Promise<void>
}

const PATIENCE = 15_000

/** A screen of 80 by 24. `lineEnd`: what ends a line; a pseudo-terminal has put the carriage return there. */
export function createScreen(lineEnd: 'LF' | 'CR LF'): Screen {
  const terminal = new Terminal({
    cols: 80,
    rows: 24,
    allowProposedApi: true,
    convertEol: lineEnd === 'LF',
  })
  let written = ''
  let lookAgain: () => void = () => undefined
  let isOver = false
  const text = (): string => getText(terminal)

  async function patiently<Value>(
    what: string,
    wait: (fail: () => void) => Promise<Value>,
  ): Promise<Value> {
    const deadline = Promise.withResolvers<never>()
    const fail = (): void => deadline.reject(new Error(`never saw ${what} in:\n${text()}`))
    const timer = setTimeout(fail, PATIENCE)
    return await Promise.race([wait(fail), deadline.promise]).finally(() => clearTimeout(timer))
  }

  return {
    write: (data) => {
      written += data
      terminal.write(data, () => lookAgain())
    },
    sees: async (what) =>
      await patiently(
        String(what),
        (fail) =>
          new Promise<string>((resolve) => {
            lookAgain = () => {
              const screen = text()
              const isSeen = typeof what === 'string' ? screen.includes(what) : what.test(screen)
              if (isSeen) resolve(screen)
              else if (isOver) fail()
            }
            lookAgain()
          }),
      ),
    until: async (what) => await patiently('the end', () => what),
    text,
    look: (what) => getLook(terminal, what),
    written: () => written,
    resizes: (columns, rows) => terminal.resize(columns, rows),
    ends: async () =>
      await new Promise((resolve) => {
        // Behind what is still to be drawn.
        terminal.write('', () => {
          isOver = true
          lookAgain()
          resolve()
        })
      }),
  }
}

/** The colours of the terminal that prompts use, by their number. */
const COLOURS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white', 'gray']

function getLook({ buffer, rows }: Terminal, what: string): string {
  const { active } = buffer
  const lines = Array.from({ length: rows }, (_, row) => active.getLine(active.baseY + row))
  const line = lines.findLast((each) => each?.translateToString().includes(what))
  const cell = line?.getCell(line.translateToString().indexOf(what))
  if (!cell) throw new Error(`nothing shows ${what}`)
  const words = [
    ...(cell.isFgDefault() ? [] : [COLOURS[cell.getFgColor()]]),
    ...(cell.isDim() ? ['dim'] : []),
    ...(cell.isStrikethrough() ? ['strikethrough'] : []),
    ...(cell.isInverse() ? ['inverse'] : []),
    ...(cell.isInvisible() ? ['hidden'] : []),
  ]
  return words.join(' ') || 'plain'
}

function getText({ buffer, rows }: Terminal): string {
  const { active } = buffer
  return Array.from(
    { length: rows },
    (_, row) =>
      active
        .getLine(active.baseY + row)
        ?.translateToString(true)
        .trimEnd() ?? '',
  ).join('\n')
}
