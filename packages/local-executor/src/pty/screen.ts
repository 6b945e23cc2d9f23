import type { PtyLibraries } from './load-libraries.ts'

/** How large the screen of an interactive program is. */
export const ROWS = 24
export const COLUMNS = 80

/** A screen that nobody sees: it turns what a program writes into what a person would read. */
export interface Screen {
  write(data: string): void
  /** The visible lines, without blanks at their ends and empty lines at the bottom. */
  read(): Promise<string>
  close(): void
}

/** Makes a screen; `answer` gets what a terminal says back, such as where its cursor is. */
export function createScreen(
  Terminal: PtyLibraries['Terminal'],
  answer: (data: string) => void,
): Screen {
  const terminal = new Terminal({
    rows: ROWS,
    cols: COLUMNS,
    scrollback: 0,
    allowProposedApi: true,
  })
  terminal.onData(answer)
  return {
    write: (data) => terminal.write(data),
    read: async () => {
      // What was written is read in the background; an empty write ends behind it.
      await new Promise<void>((done) => terminal.write('', done))
      const { active } = terminal.buffer
      const lines = Array.from({ length: ROWS }, (_, row) =>
        (active.getLine(active.viewportY + row)?.translateToString(true) ?? '').trimEnd(),
      )
      return lines.join('\n').trimEnd()
    },
    close: () => terminal.dispose(),
  }
}
