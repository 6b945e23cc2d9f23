import { once } from 'node:events'
import { type TerminalText } from '@toolblocks/protocol'
import { escapeUnprintable } from '@toolblocks/protocol/json'
import {
  createTerminalStyle,
  joinTerminal,
  sanitizeTerminalLine,
  sanitizeTerminalText,
  wrapTerminal,
  type TerminalStyle,
} from '@toolblocks/renderer'

/** Where a command writes, and what it may assume of who reads. */
export interface Terminal {
  /** The answer to the command, on standard output. */
  print(text: TerminalText): void
  /** A part of it that goes on: it is not wrapped, and no line is ended. */
  write(text: TerminalText): void
  /** The answer for machines, on standard output; printable, so that it does nothing to a terminal either. `line`: on one line. */
  printJson(value: unknown, layout?: 'indented' | 'line'): void
  /** Settles once whoever reads standard output has taken what was printed, so that a lot of it is not held here. */
  printed(): Promise<void>
  /** Anything else, on standard error. */
  note(text: TerminalText): void
  /** What is wrong, on a line of standard error: long enough for every key or tool that was expected. */
  complain(kind: 'error' | 'warning', message: string): void
  style: TerminalStyle
  /** Text of several lines from outside; in its own colours where colours are written. */
  sanitize(text: string): TerminalText
  colors: 'none' | 'ansi'
  /** Columns to lay standard output out for; `Infinity` where it is no terminal. */
  readonly columns: number
  /** Standard input and output are a person's. */
  isInteractive: boolean
  /** Present where a person types; what they type is echoed. */
  keyboard?: { input: NodeJS.ReadStream; output: NodeJS.WriteStream }
  /** Present where progress can be drawn over. */
  progress?: NodeJS.WriteStream
}

/** The terminal of a process. Colour only on a terminal, and never with `NO_COLOR`. */
export function createTerminal(host: {
  stdin: NodeJS.ReadStream
  stdout: NodeJS.WriteStream
  stderr: NodeJS.WriteStream
  env: Readonly<Record<string, string | undefined>>
}): Terminal {
  const { stdin, stdout, stderr, env } = host
  const plain = Boolean(env['NO_COLOR']) || env['TERM'] === 'dumb'
  const colors = stdout.isTTY && !plain ? 'ansi' : 'none'
  const forNotes = (text: TerminalText): TerminalText =>
    stderr.isTTY ? text : sanitizeTerminalText(text, { colors: 'strip' })
  const note = (text: TerminalText): void =>
    void stderr.write(`${wrapTerminal(forNotes(text), getColumns(stderr))}\n`)
  const style = createTerminalStyle(colors)
  return {
    print: (text) => void stdout.write(`${wrapTerminal(text, getColumns(stdout))}\n`),
    write: (text) => void stdout.write(text),
    printJson: (value, layout = 'indented') => {
      const json = JSON.stringify(value, null, layout === 'line' ? 0 : 2)
      stdout.write(`${escapeUnprintable(json)}\n`)
    },
    printed: async () => {
      if (stdout.writableNeedDrain) await once(stdout, 'drain')
    },
    note,
    complain: (kind, message) =>
      note(
        joinTerminal(
          [
            style[kind === 'error' ? 'red' : 'yellow'](`${kind}:`),
            sanitizeTerminalLine(message, { longest: MAX_COMPLAINT_LENGTH }),
          ],
          ' ',
        ),
      ),
    style,
    sanitize: (text) =>
      sanitizeTerminalText(text, { colors: colors === 'ansi' ? 'keep' : 'strip' }),
    colors,
    get columns() {
      return getColumns(stdout)
    },
    isInteractive: stdin.isTTY && stdout.isTTY,
    ...(stdin.isTTY && stdout.isTTY && { keyboard: { input: stdin, output: stdout } }),
    ...(stderr.isTTY && env['TERM'] !== 'dumb' && env['CI'] === undefined && { progress: stderr }),
  }
}

const MAX_COMPLAINT_LENGTH = 2000
const MIN_COUNT = 40
/** Of a terminal that says it has none, as pseudo-terminals do that nobody gave a size. */
const USUAL = 80

function getColumns(stream: NodeJS.WriteStream): number {
  return stream.isTTY ? Math.max(MIN_COUNT, stream.columns || USUAL) : Infinity
}
