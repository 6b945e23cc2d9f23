import { Terminal } from '@xterm/headless'

/** Returns the text that a person sees on their terminal, including the lines above the screen: one line for each row, without spaces at its end. */
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

/** Removes the prefix of each line of a tool's output in the display of a turn. */
export function outdent(screen: string): string {
  return screen.replaceAll(/^ {2}/gm, '')
}
