import type { TerminalText } from '@toolblocks/protocol'
import { createTerminalSanitizer } from '../sanitize/terminal-sanitizer.ts'
import { toTerminalText } from '../sanitize/terminal-text.ts'
import { measureWidth, wrapTerminal } from './compose-terminal.ts'

/** Text that is written while it comes. */
export interface TerminalStream {
  /** Takes the next piece, cut anywhere; whole words of it are written. */
  add(piece: string): void
  /** Writes what is left. The line is not ended. */
  finish(): void
}

/** Where streamed text goes. */
export interface TerminalStreamOptions {
  /** Gets text that follows on what it got before. */
  write: (text: TerminalText) => void
  /** As of `wrapTerminal`. */
  columns: number
}

/** A line longer than this goes on in a row of its own, so that every word costs the same. */
const MAX_LINE_LENGTH = 4000
/** What has more characters than this without a space is not waited for as a word: no language writes such words, and some write no spaces. */
const MAX_WORD_LENGTH = 100

/** Writes text from outside as it comes: without colours, in whole words and rows that fit. What has no spaces is written without waiting for one. */
export function streamTerminal({ write, columns }: TerminalStreamOptions): TerminalStream {
  const sanitizer = createTerminalSanitizer({ colors: 'strip' })
  let line = ''
  let written = 0
  let isInLongWord = false

  /** Words that follow change nothing of the rows before them. */
  function layOut(words: string): void {
    const rows = wrapTerminal(toTerminalText(words), columns)
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

  /** Writes a line that ends in a part of a word. From then on only the row that it stands in is held, so that every piece costs the same. */
  function layOutPart(wordStart: number): void {
    // A word that may still fit into a row could belong into the next one.
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
