import { requireArguments } from '@toolblocks/protocol/internal'
import type { TerminalText } from '@toolblocks/protocol'
import { createTerminalSanitizer } from '../sanitize/terminal-sanitizer.ts'
import { toTerminalText } from '../sanitize/terminal-text.ts'
import { measureWidth, wrapTerminal } from './compose-terminal.ts'

/** Text that is written while it arrives. */
export interface TerminalStream {
  /** Takes the next piece, split anywhere. Complete words are written. */
  add(piece: string): void
  /** Writes the rest. The line is not ended. */
  finish(): void
}

/** The output of streamed text. */
export interface TerminalStreamOptions {
  /** Receives text that follows the earlier text. */
  write: (text: TerminalText) => void
  /** As in `wrapTerminal`. */
  columns: number
}

/** A longer line continues in a row of its own, so that every word costs the same. */
const MAX_LINE_LENGTH = 4000
/** A longer run of characters without a space is not buffered as a word: no language has such words, and some languages have no spaces. */
const MAX_WORD_LENGTH = 100

/** Writes untrusted text while it arrives: without colours, in complete words and rows that fit. Text without spaces is written at once. */
export function streamTerminal(options: TerminalStreamOptions): TerminalStream {
  requireArguments('streamTerminal(options)', [options, { write: 'function' }])
  const { write, columns } = options
  const sanitizer = createTerminalSanitizer({ colors: 'strip' })
  let line = ''
  let written = 0
  let isInLongWord = false

  /** Later words do not change the earlier rows. */
  function layOut(text: string): void {
    const rows = wrapTerminal(toTerminalText(text), columns)
    write(toTerminalText(rows.slice(written)))
    written = rows.length
  }

  function begin(rest: string): void {
    write(toTerminalText('\n'))
    line = rest
    written = 0
    isInLongWord = false
  }

  function take(text: string): void {
    const [first = '', ...more] = text.split('\n')
    line += first
    for (const next of more) {
      layOut(line)
      begin(next)
    }
    const end = line.lastIndexOf(' ')
    if (text.includes(' ')) isInLongWord = false
    if (isInLongWord || line.length - end > MAX_WORD_LENGTH) return layOutPart(end + 1)
    if (end === -1) return
    layOut(line.slice(0, end).trimEnd())
    if (line.length > MAX_LINE_LENGTH) begin(line.slice(end + 1))
  }

  /** Writes a line that ends inside a word. From then on only its last row is buffered, so that every piece costs the same. */
  function layOutPart(wordStart: number): void {
    // A word that still fits into a row could belong to the next one.
    const isWhole = !isInLongWord && measureWidth(line.slice(wordStart)) <= columns
    if (isWhole && columns !== Infinity) {
      if (line.length <= MAX_LINE_LENGTH) return
      layOut(line)
      return begin('')
    }
    layOut(line)
    isInLongWord = true
    line = columns === Infinity ? '' : lastRow(line)
    written = line.length
  }

  function lastRow(text: string): string {
    const rows = wrapTerminal(toTerminalText(text), columns)
    return rows.slice(rows.lastIndexOf('\n') + 1)
  }

  return {
    add: (piece) => take(sanitizer.push(piece)),
    finish: () => {
      take(sanitizer.finish())
      layOut(line)
      line = ''
      written = 0
    },
  }
}
