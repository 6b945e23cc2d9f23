import type { TerminalText } from '@toolblocks/protocol'
import {
  type ContentReaders,
  type TerminalStreamOptions,
  type TerminalStream,
  createTerminalSanitizer,
  indentTerminal,
  joinTerminal,
  supportsHyperlinks,
  renderTerminal,
} from '@toolblocks/renderer'
import { toModelResults } from '@toolblocks/viewer/reading'
import type { Terminal } from '../../../terminal/terminal.ts'

/** The output of streamed Markdown and its style. */
interface StreamMarkdownOptions extends TerminalStreamOptions {
  render: RenderMarkdown
}

/** The maximum length of a line. A longer line continues in a row of its own, so that the cost of each word stays the same. */
const MAX_LINE_LENGTH = 4000

/** The maximum number of rows of a table, and of lines of code that are read together. */
const MAX_ROWS = 200

const CONTEXT_LINES = 30

/** A line is read again when it has grown by this part of its length, so that a long line costs little more than a short one. */
const GROWTH = 32

const FENCE = /^( *)(`{3,}(?!`)|~{3,}(?!~))([^`]*)$/

const TABLE = /^ *\|/

/** The beginning of a fence, a heading or a table, which can be read only when it is complete. */
const WHOLE = /^ *(?:`{3}|~{3}|#{1,6}(?: |$)|\|)/

/** A beginning that can still become any kind of block. */
const UNKNOWN = /^ *(?:`{1,2}|~{1,2}|[-*+=_]+|\d{1,9}[.)]?|>+|[-*+] \[.?\]?)? ?$/

interface Fence {
  mark: string
  indent: string
  language: string
  /** The last lines of the code, because the highlighting of the next line depends on them. */
  lines: string[]
  /** The number of these lines that were written, and the rows that they fill. */
  writtenCount: number
  rows: number
}

/**
 * Writes Markdown as it arrives, and never replaces what it has written. A word is written when the syntax around it is closed, code line by line,
 * and headings and tables when they are complete.
 */
export function streamMarkdown({ write, columns, render }: StreamMarkdownOptions): TerminalStream {
  const sanitizer = createTerminalSanitizer({ colors: 'strip' })
  const newline = joinTerminal([], '')
  let line = ''
  /** The written part of the line, and the length of its source. */
  let written = newline
  let taken = 0
  /** The length of the line when it was last read. */
  let seen = 0
  let fence: Fence | undefined
  let table: string[] = []
  let isApart = true

  const writeText = (text: TerminalText): void => write(text)
  const endRow = (): void => writeText(joinTerminal([newline, newline], '\n'))

  /** Renders one block with its indent. */
  function draw(source: string): TerminalText {
    const [indent = ''] = /^ */.exec(source) ?? []
    const depth = Math.min(indent.length, Math.floor(columns / 3))
    const rendered = render(source.slice(indent.length), columns - depth)
    return depth === 0 || !rendered
      ? (rendered ?? newline)
      : indentTerminal(rendered, ' '.repeat(depth))
  }

  /** Writes the new part of the line. Returns false if the line now reads differently from what was written. */
  function layOut(source: string): boolean {
    const rendered = draw(source)
    if (!rendered.startsWith(written)) return false
    writeText(getRest(rendered, written.length))
    written = rendered
    taken = source.length
    return true
  }

  function beginLine(rest: string): void {
    line = rest
    written = newline
    taken = 0
    seen = 0
  }

  function showSoFar(): void {
    if (line.length > MAX_LINE_LENGTH) return takeLine(line)
    if (fence || table.length > 0 || line.length - seen < line.length / GROWTH) return
    seen = line.length
    if (UNKNOWN.test(line) || WHOLE.test(line)) return
    const end = findStable(line, taken, columns)
    if (end > taken) layOut(line.slice(0, end).trimEnd())
  }

  /** Writes the rest of the line. If the line reads differently from what was written, the rest continues in the next row. */
  function endLine(source: string): void {
    if (layOut(source.trimEnd())) endRow()
    else {
      const rest = source.slice(taken).trimStart()
      endRow()
      beginLine('')
      layOut(rest.trimEnd())
      endRow()
    }
    beginLine('')
    isApart = false
  }

  function takeLine(source: string): void {
    if (fence) return takeCode(source, fence)
    const opened = taken === 0 ? FENCE.exec(source) : undefined
    if (taken === 0 && !opened && TABLE.test(source) && table.length < MAX_ROWS) {
      table.push(source)
      return beginLine('')
    }
    endTable()
    if (opened) {
      const [, indent = '', mark = '', info = ''] = opened
      const [language = ''] = info.trim().split(/\s/)
      fence = { indent, mark, language, lines: [], writtenCount: 0, rows: 0 }
      return beginLine('')
    }
    if (source.trim() !== '') return endLine(source)
    if (!isApart) endRow()
    isApart = true
    beginLine('')
  }

  function endTable(): void {
    if (table.length === 0) return
    writeText(draw(table.join('\n')))
    endRow()
    table = []
    isApart = false
  }

  function takeCode(source: string, open: Fence): void {
    beginLine('')
    const text = source.trim()
    if (text.startsWith(open.mark) && text === open.mark[0]?.repeat(text.length)) {
      showCode(open)
      fence = undefined
      return
    }
    if (open.lines.length >= CONTEXT_LINES) {
      showCode(open)
      Object.assign(open, { lines: [], writtenCount: 0, rows: 0 })
    }
    open.lines.push(source.startsWith(open.indent) ? source.slice(open.indent.length) : text)
  }

  /** Writes the new lines of code. The lines before them are needed to highlight them. */
  function showCode(open: Fence): void {
    if (open.writtenCount === open.lines.length) return
    const rows = drawCode(open).split('\n')
    writeText(getRest(rows.slice(open.rows).join('\n'), 0))
    Object.assign(open, { writtenCount: open.lines.length, rows: rows.length })
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
      beginLine('')
    },
  }
}

/** Returns the rest of a text for the terminal. It needs no colours from the part before it, because each row of code has its own. */
function getRest(text: string, from: number): TerminalText {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is behind a beginning that was written itself
  return text.slice(from) as TerminalText
}

/** The maximum number of characters that wait for the syntax around them to close. After that, they are written as plain text. */
const MAX_OPEN_LENGTH = 400

/** A word longer than this at the beginning of a line is written before its space arrives. */
const SHORT_WORD = 20

/** Characters of scripts without spaces between words. Each fills two columns. */
const WIDE = /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60]/gu

/**
 * Finds how much of a line of Markdown reads the same whatever follows: complete words after which no emphasis, code or link is open. Text without
 * spaces counts when it fills a row of its own.
 */
function findStable(line: string, from: number, columns: number): number {
  const { space, isClosed } = scan(line)
  const lastSpace = line.lastIndexOf(' ')
  const word = line.slice(lastSpace + 1)
  const isRun = lastSpace === -1 ? word.length > SHORT_WORD : widthAtLeast(word) > columns
  if (isRun && isClosed) return line.length - lastCharacter(word).length
  if (space > from || line.length - Math.max(space, from) < MAX_OPEN_LENGTH) return space
  return Math.max(space, lastSpace)
}

function widthAtLeast(word: string): number {
  return word.length + (word.match(WIDE)?.length ?? 0)
}

const graphemes = new Intl.Segmenter()

/** Returns the last character of a word. The next piece may belong to it, such as a combining accent. */
function lastCharacter(word: string): string {
  let last = ''
  for (const { segment } of graphemes.segment(word.slice(-64))) last = segment
  return last
}

/** Returns the last space at which no emphasis, code or link is open, and whether the end of the line is closed too. */
function scan(line: string): { space: number; isClosed: boolean } {
  const open = { '*': 0, _: 0, '~': 0 }
  let brackets = 0
  let address = 0
  let code = 0
  let space = 0
  const isClosed = (): boolean =>
    code === 0 &&
    brackets === 0 &&
    address === 0 &&
    Object.values(open).every((count) => count === 0)
  for (let index = 0; index < line.length; index += 1) {
    const sign = line[index] ?? ''
    if (sign === '`') {
      const run = runAt(line, index, sign)
      if (code === 0) code = run
      else if (code === run) code = 0
      index += run - 1
    } else if (code > 0) continue
    else if (sign === '\\') index += 1
    else if (sign === '[') brackets += 1
    else if (sign === ']' && brackets > 0) {
      brackets -= 1
      if (line[index + 1] === '(') {
        address = 1
        index += 1
      }
    } else if (address > 0) address += sign === '(' ? 1 : sign === ')' ? -1 : 0
    else if (sign === '*' || sign === '_' || sign === '~') {
      const run = runAt(line, index, sign)
      open[sign] = openAfter(open[sign], {
        sign,
        run,
        before: line[index - 1],
        after: line[index + run],
      })
      index += run - 1
    } else if (sign === ' ' && isClosed()) space = index
  }
  return { space, isClosed: isClosed() }
}

function runAt(line: string, index: number, sign: string): number {
  let end = index
  while (line[end] === sign) end += 1
  return end - index
}

interface Delimiter {
  sign: string
  run: number
  before: string | undefined
  after: string | undefined
}

/** Returns how many delimiters are open after a run of them, judged by the characters beside it. */
function openAfter(open: number, { sign, run, before = ' ', after = ' ' }: Delimiter): number {
  const [isBehind, isBefore] = [!/\s/.test(before), !/\s/.test(after)]
  const isInWord = /\w/.test(before) && /\w/.test(after)
  if (isInWord && (sign === '_' || /\d/.test(before))) return open
  if (isBehind && open > 0) return Math.max(0, open - run)
  return isBefore ? open + run : open
}

/** Renders complete Markdown for a terminal. Returns `undefined` for Markdown without output, such as the definition of a link. */
export type RenderMarkdown = (markdown: string, columns: number) => TerminalText | undefined

/** The readers are loaded once, because a chat shows many messages. */
let loaded: Promise<ContentReaders> | undefined

async function loadReaders(): Promise<ContentReaders> {
  const { loadContentReaders } = await import('@toolblocks/renderer/readers')
  return await loadContentReaders()
}

/**
 * Loads the readers of Markdown and of code in every language. Returns `undefined` for a terminal without colours, where Markdown is shown as plain
 * text.
 */
export async function loadMarkdown(
  { colors }: Pick<Terminal, 'colors'>,
  root: string,
): Promise<RenderMarkdown | undefined> {
  if (colors === 'none') return undefined
  loaded ??= loadReaders()
  const readers = await loaded
  const links = supportsHyperlinks(process.env) ? 'osc8' : 'none'
  return (markdown, columns) => {
    if (readers.readMarkdown(markdown)?.length === 0) return undefined
    const [result] = toModelResults([{ type: 'text', text: markdown }])
    const options = { colors, columns, root, readers, links, maxLines: Infinity } as const
    return result && renderTerminal(result, options)
  }
}
