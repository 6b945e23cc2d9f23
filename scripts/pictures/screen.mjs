// A terminal without a window, and its screen as a page.
import { createRequire } from 'node:module'

const host = createRequire(new URL('../../apps/reference-host/package.json', import.meta.url))
const { Terminal } = host('@xterm/headless')

const LINE_HEIGHT = 18
const NIGHT = '#1c1f26'
const DAY = '#e6e6e6'
const PALETTE =
  '#1c1f26 #e06c75 #98c379 #e5c07b #61afef #c678dd #56d7e0 #e6e6e6 #8a8f98 #ff7b86 #63d97a #f5c542 #7fc1ff #d99bf0 #7ae6ee #ffffff'.split(
    ' ',
  )

/** Characters that join the one before them, and those of two columns: the tables of the terminal are older than emoji. */
const JOINED = /^[\p{M}\p{Cf}]$/u
const WIDE =
  /^[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1FAFF}]$/u
const getWidth = (point) => {
  const character = String.fromCodePoint(point)
  return JOINED.test(character) ? 0 : WIDE.test(character) ? 2 : 1
}
const WIDTHS = {
  version: 'pictures',
  wcwidth: getWidth,
  // Two bits of width, above a bit for whether the character joins the one before it.
  charProperties: (point, before) => {
    const width = getWidth(point)
    const joins = width === 0 && before !== 0
    return ((joins ? (before >> 1) & 3 : width) << 1) | Number(joins)
  },
}

/** Opens a screen with enough rows for the complete output. */
export function openScreen({ columns, rows = 600 }) {
  const options = { cols: columns, rows, allowProposedApi: true, convertEol: true }
  const terminal = new Terminal(options)
  terminal.unicode.register(WIDTHS)
  terminal.unicode.activeVersion = WIDTHS.version
  return {
    columns,
    rows,
    write: async (text) => await new Promise((done) => terminal.write(text, done)),
    isEmpty: () => terminal.buffer.active.cursorY === 0,
    toPage: () => getPage(terminal),
    close: () => terminal.dispose(),
  }
}

function getPage({ buffer, rows, cols }) {
  const lines = Array.from({ length: rows }, (_, row) => buffer.active.getLine(row))
  const last = lines.findLastIndex((line) => line?.translateToString(true))
  const html = lines.slice(0, last + 1).map((line) => `<div>${getLine(line, cols)}</div>`)
  const style = [
    'body{margin:0}',
    `pre{margin:0;display:inline-block;padding:16px;background:${NIGHT};color:${DAY};font:15px/${LINE_HEIGHT}px 'DejaVu Sans Mono',monospace}`,
    `div{height:${LINE_HEIGHT}px;white-space:pre}`,
    `i{display:inline-block;height:${LINE_HEIGHT}px;vertical-align:top;overflow:hidden;font-style:inherit}`,
  ]
  return `<!doctype html><meta charset="utf-8"><style>${style.join('')}</style><pre>${html.join('')}</pre>`
}

function getLine(line, columns) {
  const cells = Array.from({ length: columns }, (_, column) => line.getCell(column))
  return cells.map((cell) => (cell.getWidth() === 0 ? '' : writeCell(cell))).join('')
}

/** Renders a cell with a fixed width, so that a character that the font lacks does not move others. */
function writeCell(cell) {
  const text = cell.getChars() || ' '
  const own = [findColor(cell, 'Fg'), findColor(cell, 'Bg')]
  const [front, back] = cell.isInverse() ? [own[1] ?? NIGHT, own[0] ?? DAY] : own
  const isHalf = text === '▀' || text === '▄'
  const [upper, lower] = text === '▀' ? [front, back] : [back, front]
  const style = [
    `width:${cell.getWidth()}ch`,
    // Half blocks are drawn, because glyphs leave gaps between lines.
    isHalf
      ? `background:linear-gradient(${upper ?? NIGHT} 50%,${lower ?? NIGHT} 50%)`
      : `color:${front ?? DAY}${back === undefined ? '' : `;background:${back}`}`,
    cell.isBold() ? 'font-weight:bold' : '',
    cell.isItalic() ? 'font-style:italic' : '',
    cell.isUnderline() ? 'text-decoration:underline' : '',
    cell.isStrikethrough() ? 'text-decoration:line-through' : '',
    cell.isDim() ? 'opacity:.6' : '',
  ]
  const html = isHalf ? ' ' : text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<i style="${style.filter(Boolean).join(';')}">${html}</i>`
}

function findColor(cell, ground) {
  const color = cell[`get${ground}Color`]()
  if (cell[`is${ground}RGB`]()) return `#${color.toString(16).padStart(6, '0')}`
  return cell[`is${ground}Palette`]() ? PALETTE[color] : undefined
}
