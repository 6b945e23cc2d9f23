import { COLUMNS, ROWS } from './screen-size.ts'

/** Finals of `CSI` by what stands before the parameters: those that can change what is on a screen, or ask for its state. */
const FINALS: Readonly<Record<string, string>> = {
  '': '@ABCDEFGHIJKLMPSTXZ`abcdefghlnrsu',
  '?': 'hlJKn',
  '>': 'c',
}
/** What follows `ESC`: cursor kept and restored, line moves, tab stops, reset. */
const ESCAPES = '78DEHMc'
const SOFT_RESET = '!p'
const CONTROL = /^([?>]?)([\d;:]*)$/
const CHARACTER_SET = /^[()*+][0-~]$/
/** The largest number of a mode that means anything. */
const LARGEST_MODE = 9999

/**
 * Writes `CSI … final` as it may reach a screen; empty if it has no business there. Counts do nothing more beyond the screen,
 * but an emulator would count.
 */
export function boundControl(collected: string, final: string): string {
  if (collected + final === SOFT_RESET) return `\u001B[${SOFT_RESET}`
  const [, marker, parameters] = CONTROL.exec(collected) ?? []
  if (marker === undefined || parameters === undefined) return ''
  if (!FINALS[marker]?.includes(final)) return ''
  const largest = largestOf(final)
  const bounded = parameters.replaceAll(/\d+/g, (digits) => `${Math.min(Number(digits), largest)}`)
  return `\u001B[${marker}${bounded}${final}`
}

function largestOf(final: string): number {
  switch (final) {
    case 'b':
      return ROWS * COLUMNS
    case 'L':
    case 'M':
    case 'S':
    case 'T':
      return ROWS
    case 'h':
    case 'l':
    case 'n':
      return LARGEST_MODE
  }
  return COLUMNS
}

/** The same for `ESC … final`. */
export function boundEscape(collected: string, final: string): string {
  const sequence = collected + final
  const isKept =
    (collected === '' && ESCAPES.includes(final)) ||
    CHARACTER_SET.test(sequence) ||
    sequence === '#8'
  return isKept ? `\u001B${sequence}` : ''
}
