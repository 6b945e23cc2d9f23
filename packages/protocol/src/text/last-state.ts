/** A text as a terminal shows it in the end. */
export interface LastState {
  text: string
  /** Whether characters were written over other ones, or erased. */
  hasReplaced: boolean
}

/** What moves the cursor within a line: backspace, a carriage return that ends no line, and `CSI` with `C`, `D`, `G` or `K`. */
// oxlint-disable-next-line no-control-regex -- these are controls
const REDRAW = /[\b]|\r(?![\r\n]|$)|(?:\u001B\[|\u009B)\d{0,9}[CDGK]/
// oxlint-disable-next-line no-control-regex -- these are controls
const CONTROL = /(?:\u001B\[|\u009B)(?<parameters>[0-?]{0,64})[ -/]{0,4}(?<final>[@-~])/y
/** A string for a device, such as an address or a title, and any other sequence. */
const OTHER_SEQUENCE =
  // oxlint-disable-next-line no-control-regex -- these are controls
  /\u001B[\]PX^_][^\u0007\u001B]{0,4096}(?:\u0007|\u001B\\)|\u001B[ -/]{0,4}[0-~]?/y
/** What takes no place of its own. */
const JOINING = /^(?:\p{M}|\u200D|\uFE0E|\uFE0F|\p{Emoji_Modifier})$/u
const FIRST_JOINING = '\u0300'
const RESET = '\u001B[0m'

/** Maximum length of a line that is read as a terminal does: longer ones are no progress bars. In characters. */
const MAX_LINE = 65_536

/** Maximum length of the colours that are on at a place. */
const MAX_STYLE = 200

/**
 * Returns a text with the last state of each line that redraws itself, as progress bars do: carriage returns, backspaces and movements of the cursor
 * within the line are carried out. Colours stay. A carriage return before a line feed is a line end. Lines without such controls are unchanged. Takes linear time.
 */
export function toLastState(text: string): LastState {
  if (!REDRAW.test(text)) return { text, hasReplaced: false }
  // What columns that nothing was written to, and erasing to the left, may cost.
  const budget = { left: Math.ceil(text.length / 8) + 100_000 }
  let hasReplaced = false
  const lines = text.split('\n').map((line, index, all) => {
    if (!REDRAW.test(line)) return line
    const state = redraw(line, budget)
    hasReplaced ||= state?.hasReplaced === true
    const end = line.endsWith('\r') && index < all.length - 1 ? '\r' : ''
    return state ? state.text + end : line
  })
  return { text: lines.join('\n'), hasReplaced }
}

/** A place in a line: its character, and the colours before it. */
interface Cell {
  readonly character: string
  readonly style: string
}

const BLANK: Cell = { character: ' ', style: '' }

/** Returns the last state of one line; `undefined` for a line that is too long. */
function redraw(line: string, budget: { left: number }): LastState | undefined {
  const cells: Cell[] = []
  let column = 0
  let style = ''
  let hasReplaced = false

  function write(character: string): void {
    const before = column > 0 ? cells[column - 1] : undefined
    if (before && character >= FIRST_JOINING && JOINING.test(character)) {
      cells[column - 1] = { ...before, character: before.character + character }
      return
    }
    fill()
    const old = cells[column]
    hasReplaced ||= old !== undefined && old.character !== ' ' && old.character !== character
    cells[column] = { character, style }
    column += 1
  }

  /** Fills the columns before the cursor. */
  function fill(): void {
    const missing = column - cells.length
    if (missing <= 0) return
    column = cells.length + Math.max(0, Math.min(missing, budget.left))
    budget.left -= missing
    while (cells.length < column) cells.push(BLANK)
  }

  function erase(from: number, to: number): void {
    for (let index = from; index < Math.min(to, cells.length); index += 1) {
      hasReplaced ||= cells[index]?.character !== ' '
      cells[index] = BLANK
    }
  }

  function control(parameters: string, final: string): void {
    const count = /^\d{0,9}$/.test(parameters) ? Number(parameters) : undefined
    if (final === 'm') {
      const startsAnew = /^0*(?:;|$)/.test(parameters)
      const next = `${startsAnew ? '' : style}\u001B[${parameters}m`
      style = next.length > MAX_STYLE ? `${RESET}\u001B[${parameters}m` : next
    }
    if (count === undefined) return
    if (final === 'C') column = Math.min(column + Math.max(1, count), MAX_LINE)
    if (final === 'D') column = Math.max(0, column - Math.max(1, count))
    if (final === 'G') column = Math.min(Math.max(1, count), MAX_LINE) - 1
    if (final === 'K' && count <= 2) eraseInLine(count)
  }

  function eraseInLine(which: number): void {
    const from = which === 0 ? column : 0
    const to = which === 1 ? column + 1 : cells.length
    if (to >= cells.length) {
      hasReplaced ||= cells.slice(from).some(({ character }) => character !== ' ')
      cells.length = Math.min(cells.length, from)
    } else if (to <= budget.left) {
      budget.left -= to
      erase(from, to)
    }
  }

  for (let index = 0; index < line.length;) {
    if (cells.length > MAX_LINE) return undefined
    const unit = line.charCodeAt(index)
    if (unit === 0x1b || unit === 0x9b) {
      CONTROL.lastIndex = index
      const groups = CONTROL.exec(line)?.groups
      if (groups) {
        control(groups['parameters'] ?? '', groups['final'] ?? '')
        index = CONTROL.lastIndex
      } else {
        OTHER_SEQUENCE.lastIndex = index
        index = OTHER_SEQUENCE.test(line) ? OTHER_SEQUENCE.lastIndex : index + 1
      }
    } else if (unit === 0x0d) {
      column = 0
      index += 1
    } else if (unit === 0x08) {
      column = Math.max(0, column - 1)
      index += 1
    } else if (unit < 0x20 && unit !== 0x09) index += 1
    else {
      const character = String.fromCodePoint(line.codePointAt(index) ?? unit)
      write(character)
      index += character.length
    }
  }
  // Columns at the end that nothing is written in are no part of the line.
  while (cells.at(-1) === BLANK) cells.pop()
  return { text: joinCells(cells, style), hasReplaced }
}

/** Joins the characters with the colours that change between them; the last ones stay on. */
function joinCells(cells: readonly Cell[], last: string): string {
  let text = ''
  let style = ''
  const change = (next: string): string => {
    if (next === style) return ''
    const isMore = next.startsWith(style)
    const added = isMore ? next.slice(style.length) : isReset(next) ? next : RESET + next
    style = next
    return added
  }
  for (const cell of cells) text += change(cell.style) + cell.character
  return text + change(last)
}

function isReset(style: string): boolean {
  return style.startsWith('\u001B[m') || style.startsWith(RESET)
}
