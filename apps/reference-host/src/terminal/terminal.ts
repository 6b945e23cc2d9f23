import { once } from 'node:events'
import { type TerminalText } from '@toolblocks/protocol'
import { escapeUnprintable } from '@toolblocks/protocol/internal'
import {
  createTerminalStyle,
  joinTerminal,
  sanitizeTerminalLine,
  sanitizeTerminalText,
  wrapTerminal,
  type TerminalStyle,
} from '@toolblocks/renderer'

/** The output of a command, and what is known about the terminal. */
export interface Terminal {
  /** Prints the result of the command on standard output, with a line break. */
  print(text: TerminalText): void
  /** Prints a part of a longer text on standard output, without wrapping and without a line break. */
  write(text: TerminalText): void
  /** Prints JSON for programs on standard output. Control characters are escaped, so that it is safe on a terminal. `line`: on one line. */
  printJson(value: unknown, layout?: 'indented' | 'line'): void
  /** Settles when the reader of standard output has taken the printed text, so that long output does not fill the memory. */
  printed(): Promise<void>
  /** Prints any other text on standard error. */
  note(text: TerminalText): void
  /** Prints an error or a warning as a line on standard error. The limit of the length leaves room for every expected key or tool. */
  report(kind: 'error' | 'warning', message: string): void
  style: TerminalStyle
  /** Sanitizes text of several lines from outside. Its colours are kept if this terminal shows colours. */
  sanitize(text: string): TerminalText
  colors: 'none' | 'ansi'
  /** Columns of standard output; `Infinity` if it is not a terminal. */
  readonly columns: number
  /** Whether standard input and output are a terminal. */
  isInteractive: boolean
  /** Present if a person can be asked: on standard output, or on standard error if only that is a terminal. */
  person?: PersonTerminal
  /** Present if a person can type. The typed text is echoed. */
  keyboard?: { input: NodeJS.ReadStream; output: NodeJS.WriteStream }
  /** Present if a progress line can be redrawn. */
  progress?: NodeJS.WriteStream
}

/** The terminal of a person who is asked. */
interface PersonTerminal {
  input: NodeJS.ReadStream
  output: NodeJS.WriteStream
  colors: 'none' | 'ansi'
  readonly columns: number
}

/** Creates the terminal of a process. Colours are used only on a terminal, and never with `NO_COLOR`. */
export function createTerminal(host: {
  stdin: NodeJS.ReadStream
  stdout: NodeJS.WriteStream
  stderr: NodeJS.WriteStream
  env: Readonly<Record<string, string | undefined>>
}): Terminal {
  const { stdin, stdout, stderr, env } = host
  const plain = Boolean(env['NO_COLOR']) || env['TERM'] === 'dumb'
  const colors = stdout.isTTY && !plain ? 'ansi' : 'none'
  const screen = stdout.isTTY ? stdout : stderr
  const forNotes = (text: TerminalText): TerminalText =>
    stderr.isTTY ? text : sanitizeTerminalText(text, { colors: 'strip' })
  const note = (text: TerminalText): void =>
    void stderr.write(`${wrapForCopying(forNotes(text), getColumns(stderr))}\n`)
  const style = createTerminalStyle(colors)
  return {
    print: (text) => void stdout.write(`${wrapForCopying(text, getColumns(stdout))}\n`),
    write: (text) => void stdout.write(text),
    printJson: (value, layout = 'indented') => {
      const json = JSON.stringify(value, null, layout === 'line' ? 0 : 2)
      stdout.write(`${escapeUnprintable(json)}\n`)
    },
    printed: async () => {
      if (stdout.writableNeedDrain) await once(stdout, 'drain')
    },
    note,
    report: (kind, message) =>
      note(
        joinTerminal(
          [
            style[kind === 'error' ? 'red' : 'yellow'](`${kind}:`),
            sanitizeTerminalLine(message, { maxLength: MAX_COMPLAINT_LENGTH }),
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
    ...(stdin.isTTY && screen.isTTY && { person: createPersonTerminal(stdin, screen, plain) }),
    ...(stdin.isTTY && stdout.isTTY && { keyboard: { input: stdin, output: stdout } }),
    ...(stderr.isTTY && env['TERM'] !== 'dumb' && env['CI'] === undefined && { progress: stderr }),
  }
}

function createPersonTerminal(
  input: NodeJS.ReadStream,
  output: NodeJS.WriteStream,
  plain: boolean,
): PersonTerminal {
  return {
    input,
    output,
    colors: plain ? 'none' : 'ansi',
    get columns() {
      return getColumns(output)
    },
  }
}

/** Wraps text, but puts no line break into what a person copies or clicks: addresses, tokens and paths. */
function wrapForCopying(text: TerminalText, columns: number): TerminalText {
  return wrapTerminal(text, columns, '', isCopied)
}

function isCopied(word: string): boolean {
  return (
    /^["'(<]?https?:\/\/[\w.~:/?#[\]@!$&'()*+,;=%>"-]+$/.test(word) ||
    /^["'(]?[\w.~+/=:@%-]{24,}["'),.;:]*$/.test(word)
  )
}

const MAX_COMPLAINT_LENGTH = 2000
/** A narrower terminal shows one word in several rows. */
const MIN_COUNT = 8
/** The width of a terminal that reports no columns, such as a pseudo-terminal without a size. */
const USUAL = 80

function getColumns(stream: NodeJS.WriteStream): number {
  return stream.isTTY ? Math.max(MIN_COUNT, stream.columns || USUAL) : Infinity
}
