import { Terminal } from '@xterm/headless'

/** What a person sees, and can scroll back to, of what was written to their terminal: a line a row, without blanks at its end. */
export async function getScreen(written: string, columns = 80): Promise<string> {
  const screen = new Terminal({
    cols: columns,
    rows: 24,
    scrollback: 10_000,
    allowProposedApi: true,
  })
  await new Promise<void>((done) => screen.write(written, done))
  const { active } = screen.buffer
  const rows = Array.from({ length: active.length }, (_, row) => active.getLine(row))
  return rows
    .map((row) => row?.translateToString(true) ?? '')
    .join('\n')
    .trimEnd()
}

/** What was shown of a turn, without what stands before each line of a tool's. */
export function outdent(shown: string): string {
  return shown.replaceAll(/^ {2}/gm, '')
}
