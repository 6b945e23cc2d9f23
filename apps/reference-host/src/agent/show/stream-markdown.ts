import type { TerminalText } from '@toolblocks/protocol'
import {
  createTerminalSanitizer,
  indentTerminal,
  joinTerminal,
  type StreamedText,
  type StreamOptions,
} from '@toolblocks/renderer'
import { findStable } from './find-stable.ts'
import type { RenderMarkdown } from './load-markdown.ts'

/** Where streamed Markdown goes, and how it looks. */
export interface StreamMarkdownOptions extends StreamOptions {
  render: RenderMarkdown
}

/** A line longer than this goes on in a row of its own, so that every word costs the same. */
const LONGEST_LINE = 4000
/** Rows of a table, and lines of code that are read together. */
const MOST_ROWS = 200
const CONTEXT_LINES = 30
/** A line is read anew once it has grown by this part of itself, so that a long one costs little more than a short one. */
const GROWTH = 32

const FENCE = /^( *)(`{3,}(?!`)|~{3,}(?!~))([^`]*)$/
const TABLE = /^ *\|/
/** What is known only at its end: the beginning of a fence, a heading, a table. */
const WHOLE = /^ *(?:`{3}|~{3}|#{1,6}(?: |$)|\|)/
/** What may still become anything. */
const UNKNOWN = /^ *(?:`{1,2}|~{1,2}|[-*+=_]+|\d{1,9}[.)]?|>+|[-*+] \[.?\]?)? ?$/

interface Fence {
  mark: string
  indent: string
  language: string
  /** The last lines of the code, which say how the next one is read. */
  lines: string[]
  /** How many of them were written, and the rows that these take. */
  shown: number
  rows: number
}

/**
 * Writes Markdown while it comes, and never over what was written: words once what is around them is closed, code line by line, headings and tables
 * once they are whole.
 */
export function streamMarkdown({ write, columns, render }: StreamMarkdownOptions): StreamedText {
  const sanitizer = createTerminalSanitizer({ colors: 'strip' })
  const newline = joinTerminal([], '')
  let line = ''
  /** What was written of the line, and the length of the source it was made of. */
  let written = newline
  let taken = 0
  /** How long the line was when it was read last. */
  let seen = 0
  let fence: Fence | undefined
  let table: string[] = []
  let isApart = true

  const say = (text: TerminalText): void => write(text)
  const endRow = (): void => say(joinTerminal([newline, newline], '\n'))

  /** Writes one block, as deep as it stands. */
  function draw(source: string): TerminalText {
    const [indent = ''] = /^ */.exec(source) ?? []
    const depth = Math.min(indent.length, Math.floor(columns / 3))
    const shown = render(source.slice(indent.length), columns - depth)
    return depth === 0 || !shown ? (shown ?? newline) : indentTerminal(shown, ' '.repeat(depth))
  }

  /** Writes what is new of the line; false where it reads in another way by now than it was written. */
  function layOut(source: string): boolean {
    const shown = draw(source)
    if (!shown.startsWith(written)) return false
    say(tail(shown, written.length))
    written = shown
    taken = source.length
    return true
  }

  function begin(rest: string): void {
    line = rest
    written = newline
    taken = 0
    seen = 0
  }

  function showSoFar(): void {
    if (line.length > LONGEST_LINE) return takeLine(line)
    if (fence || table.length > 0 || line.length - seen < line.length / GROWTH) return
    seen = line.length
    if (UNKNOWN.test(line) || WHOLE.test(line)) return
    const end = findStable(line, taken, columns)
    if (end > taken) layOut(line.slice(0, end).trimEnd())
  }

  /** Writes the rest of the line. What reads in another way than it was written goes on in the next row. */
  function endLine(source: string): void {
    if (layOut(source.trimEnd())) endRow()
    else {
      const rest = source.slice(taken).trimStart()
      endRow()
      begin('')
      layOut(rest.trimEnd())
      endRow()
    }
    begin('')
    isApart = false
  }

  function takeLine(source: string): void {
    if (fence) return takeCode(source, fence)
    const opened = taken === 0 ? FENCE.exec(source) : undefined
    if (taken === 0 && !opened && TABLE.test(source) && table.length < MOST_ROWS) {
      table.push(source)
      return begin('')
    }
    endTable()
    if (opened) {
      const [, indent = '', mark = '', info = ''] = opened
      const [language = ''] = info.trim().split(/\s/)
      fence = { indent, mark, language, lines: [], shown: 0, rows: 0 }
      return begin('')
    }
    if (source.trim() !== '') return endLine(source)
    if (!isApart) endRow()
    isApart = true
    begin('')
  }

  function endTable(): void {
    if (table.length === 0) return
    say(draw(table.join('\n')))
    endRow()
    table = []
    isApart = false
  }

  function takeCode(source: string, open: Fence): void {
    begin('')
    const text = source.trim()
    if (text.startsWith(open.mark) && text === open.mark[0]?.repeat(text.length)) {
      showCode(open)
      fence = undefined
      return
    }
    if (open.lines.length >= CONTEXT_LINES) {
      showCode(open)
      Object.assign(open, { lines: [], shown: 0, rows: 0 })
    }
    open.lines.push(source.startsWith(open.indent) ? source.slice(open.indent.length) : text)
  }

  /** Writes the lines of code that are new; those before them say how they are read. */
  function showCode(open: Fence): void {
    if (open.shown === open.lines.length) return
    const rows = drawCode(open).split('\n')
    say(tail(rows.slice(open.rows).join('\n'), 0))
    Object.assign(open, { shown: open.lines.length, rows: rows.length })
    endRow()
    isApart = false
  }

  function drawCode({ indent, language, lines }: Fence): TerminalText {
    const code = lines.join('\n')
    const longest = Math.max(2, ...Array.from(code.matchAll(/~+/g), ([run]) => run.length))
    const mark = '~'.repeat(longest + 1)
    return draw([`${indent}${mark}${language}`, code, mark].join('\n'))
  }

  function take(text: string): void {
    const [first = '', ...more] = text.split('\n')
    line += first
    for (const next of more) {
      takeLine(line)
      line = next
    }
    if (fence) showCode(fence)
    showSoFar()
  }

  return {
    add: (piece) => take(sanitizer.push(piece)),
    finish: () => {
      take(sanitizer.finish())
      if (line !== '') takeLine(line)
      if (fence) showCode(fence)
      endTable()
      fence = undefined
      begin('')
    },
  }
}

/** What follows in a text that was written for the terminal; each row of code has its colours to itself. */
function tail(text: string, from: number): TerminalText {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is behind a beginning that was written itself
  return text.slice(from) as TerminalText
}
