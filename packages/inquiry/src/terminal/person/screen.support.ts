import { Terminal } from '@xterm/headless'

/** A screen, and functions that wait for its content. */
export interface Screen {
  /** Receives what a program writes. */
  write: (data: string) => void
  /** Waits until the screen shows this. */
  sees: (what: string | RegExp) => Promise<string>
  /** Waits as long for something else, and fails with the content of the screen. */
  until: <Value>(what: Promise<Value>) => Promise<Value>
  /** The visible rows of the window, without scrolled rows. */
  text: () => string
  /** The look of the first character of this text, where it is shown last: `yellow`, `dim strikethrough`, or `plain`. */
  look: (what: string) => string
  /** Everything that was written. */
  written: () => string
  resizes: (columns: number, rows: number) => void
  /** No more output follows: draws what there is, and fails every wait. */
  ends: () => Promise<void>
}

const PATIENCE = 15_000

/** Creates a screen of 80 by 24. `lineEnd`: the line end; a pseudo-terminal has added the carriage return. */
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
        // After the output that is still to be drawn.
        terminal.write('', () => {
          isOver = true
          lookAgain()
          resolve()
        })
      }),
  }
}

/** The terminal colours that prompts use, by number. */
const COLOURS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white', 'gray']

function getLook({ buffer, rows }: Terminal, what: string): string {
  const { active } = buffer
  const lines = Array.from({ length: rows }, (_, row) => active.getLine(active.baseY + row))
  const line = lines.findLast((each) => each?.translateToString().includes(what))
  const cell = line?.getCell(line.translateToString().indexOf(what))
  if (!cell) throw new Error(`nothing shows ${what}`)
  const attributes = [
    ...(cell.isFgDefault() ? [] : [COLOURS[cell.getFgColor()]]),
    ...(cell.isDim() ? ['dim'] : []),
    ...(cell.isStrikethrough() ? ['strikethrough'] : []),
    ...(cell.isInverse() ? ['inverse'] : []),
    ...(cell.isInvisible() ? ['hidden'] : []),
  ]
  return attributes.join(' ') || 'plain'
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
