import { createOutputBound } from './bound-output.ts'
import type { PtyLibraries } from './load-libraries.ts'
import type { PseudoTerminal } from './pseudo-terminal.ts'
import { COLUMNS, ROWS } from './screen-size.ts'

/** A screen that nobody sees: it turns what a program writes into what a person would read. */
export interface Screen {
  write(data: string): void
  /** The visible lines, without blanks at their ends and empty lines at the bottom. */
  read(): Promise<string>
  close(): void
}

/** What the emulator reads without looking at the clock; between such slices it lets others work. In UTF-16 code units. */
const SLICE = 256
/** What waits for the emulator before the program has to wait, and when it may go on. */
const MOST_WAITING = 16 * 1024
const FEW_WAITING = 4 * 1024
/** What a program is told between two looks at its screen: one that never reads would have it pile up. */
const MOST_ANSWERS = 256

/** Makes a screen; the program gets what a terminal says back, such as where its cursor is. */
export function createScreen(
  Terminal: PtyLibraries['Terminal'],
  program: Pick<PseudoTerminal, 'type' | 'pause' | 'resume'>,
): Screen {
  const terminal = new Terminal({
    rows: ROWS,
    cols: COLUMNS,
    scrollback: 0,
    logLevel: 'off',
    allowProposedApi: true,
  })
  const bound = createOutputBound()
  let waiting = 0
  let answersLeft = MOST_ANSWERS
  let isClosed = false
  terminal.onData((data) => {
    answersLeft -= 1
    if (answersLeft >= 0) program.type(data)
  })

  function writeSlice(slice: string): void {
    waiting += slice.length
    terminal.write(slice, () => {
      const before = waiting
      waiting -= slice.length
      if (before > FEW_WAITING && waiting <= FEW_WAITING) program.resume()
    })
  }

  return {
    write: (data) => {
      if (isClosed) return
      const bounded = bound(data)
      for (let at = 0; at < bounded.length; at += SLICE) writeSlice(bounded.slice(at, at + SLICE))
      if (waiting > MOST_WAITING) program.pause()
    },
    read: async () => {
      answersLeft = MOST_ANSWERS
      // What was written is read in the background; an empty write ends behind it.
      await new Promise<void>((done) => terminal.write('', done))
      const { active } = terminal.buffer
      const lines = Array.from({ length: ROWS }, (_, row) =>
        (active.getLine(active.viewportY + row)?.translateToString(true) ?? '').trimEnd(),
      )
      return lines.join('\n').trimEnd()
    },
    close: () => {
      isClosed = true
      terminal.dispose()
      program.resume()
    },
  }
}
