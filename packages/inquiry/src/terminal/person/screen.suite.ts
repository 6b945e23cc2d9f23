import { Terminal } from '@xterm/headless'

/** A screen, and what can be waited for on it. */
export interface Screen {
  /** Gets what a program writes. */
  write: (data: string) => void
  /** Waits until the screen shows this. */
  sees: (what: string | RegExp) => Promise<string>
  /** What can be seen: the rows of the window, without what was scrolled out of it. */
  text: () => string
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
  let look: () => void = () => undefined
  let fail: () => void = () => undefined
  let isOver = false
  const text = (): string => textOf(terminal)

  return {
    write: (data) => {
      written += data
      terminal.write(data, () => look())
    },
    sees: async (what) => {
      const deadline = Promise.withResolvers<never>()
      fail = () => deadline.reject(new Error(`never saw ${String(what)} in:\n${text()}`))
      const timer = setTimeout(fail, PATIENCE)
      const seen = new Promise<string>((resolve) => {
        look = () => {
          const screen = text()
          if (typeof what === 'string' ? screen.includes(what) : what.test(screen)) resolve(screen)
          else if (isOver) fail()
        }
        look()
      })
      return await Promise.race([seen, deadline.promise]).finally(() => clearTimeout(timer))
    },
    text,
    written: () => written,
    resizes: (columns, rows) => terminal.resize(columns, rows),
    ends: async () =>
      await new Promise((resolve) => {
        // Behind what is still to be drawn.
        terminal.write('', () => {
          isOver = true
          look()
          resolve()
        })
      }),
  }
}

function textOf({ buffer, rows }: Terminal): string {
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
