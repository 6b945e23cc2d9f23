import xterm from '@xterm/headless'

/** Text that a person must still see, before and after a tool's text. */
const GUARD = '│ Run `rm -rf build`? [y/N]'
const END = '│ end'
/** A test command: effects count from here. */
const BEGIN = 7777
const DEFAULT_MODES = JSON.stringify(new xterm.Terminal({ allowProposedApi: true }).modes)

/** Shows texts one after another on a terminal of 80×24, and reports every effect except the text. */
export interface TerminalOracle {
  readEffects(text: string): Promise<string[]>
}

export function createTerminalOracle(): TerminalOracle {
  const effects = new Set<string>()
  const terminal = new xterm.Terminal({
    cols: 80,
    rows: 24,
    scrollback: 1000,
    logLevel: 'off',
    convertEol: true,
    allowProposedApi: true,
  })
  terminal.onTitleChange(() => effects.add('title'))
  terminal.onBell(() => effects.add('bell'))
  terminal.onData(() => effects.add('reply'))
  terminal.onBinary(() => effects.add('reply'))
  terminal.buffer.onBufferChange(() => effects.add('alternate screen'))
  for (const code of [0, 1, 2, 4, 7, 8, 9, 10, 11, 12, 52, 104, 133, 777, 1337]) {
    terminal.parser.registerOscHandler(code, () => {
      effects.add(`operating system command ${code}`)
      return false
    })
  }
  terminal.parser.registerOscHandler(BEGIN, () => {
    effects.clear()
    return true
  })
  const write = (text: string): Promise<void> =>
    new Promise((resolve) => {
      terminal.write(text, resolve)
    })

  return {
    readEffects: async (text) => {
      // Cancels what the previous text may have left, and resets the terminal.
      await write(`\u0018\u001Bc\u001B]${BEGIN};\u0007${GUARD}\n${text}\n${END}\n`)
      if (JSON.stringify(terminal.modes) !== DEFAULT_MODES) effects.add('modes')
      const { active } = terminal.buffer
      if (active.type !== 'normal') effects.add('alternate screen')
      const end = active.baseY + active.cursorY - 1
      for (const [what, expected, line] of [
        ['guard', GUARD, active.getLine(0)],
        ['end', END, active.getLine(end)],
      ] as const) {
        if (line?.translateToString(true) !== expected) effects.add(`${what} line`)
        if (!line?.getCell(2)?.isAttributeDefault()) effects.add(`colour of the ${what} line`)
      }
      if (hasConcealedText(active, end)) effects.add('concealed text')
      return [...effects]
    },
  }
}

function hasConcealedText(buffer: xterm.IBuffer, end: number): boolean {
  const cell = buffer.getNullCell()
  for (let line = 0; line < end; line += 1) {
    for (let column = 0; column < 80; column += 1) {
      const currentCell = buffer.getLine(line)?.getCell(column, cell)
      if (currentCell && (currentCell.isInvisible() !== 0 || hasEqualColors(currentCell)))
        return true
    }
  }
  return false
}

/** Whether a letter has the colour of its background. */
function hasEqualColors(cell: xterm.IBufferCell): boolean {
  if (cell.isFgDefault() || cell.isBgDefault() || cell.getChars().trim() === '') return false
  const behind = getColor(cell.isBgRGB(), cell.getBgColor())
  const isBright = cell.isBold() !== 0 && cell.isFgPalette() && cell.getFgColor() < 8
  const bright = isBright ? [cell.getFgColor() + 8] : []
  return (
    getColor(cell.isFgRGB(), cell.getFgColor()) === behind ||
    bright.some((index) => getColor(false, index) === behind)
  )
}

/** An index of the cube or the greys is like its red, green and blue. The first sixteen are names. */
function getColor(isDirect: boolean, color: number): string {
  if (isDirect) return color.toString(16).padStart(6, '0')
  if (color < 16) return `name ${color}`
  const levels = [0, 95, 135, 175, 215, 255]
  const cubeIndex = color - 16
  const parts =
    color > 231
      ? [0, 0, 0].map(() => 8 + 10 * (color - 232))
      : [36, 6, 1].map((size) => levels[Math.floor(cubeIndex / size) % 6] ?? 0)
  return parts.map((part) => part.toString(16).padStart(2, '0')).join('')
}
