import { MAX_PARAMETERS_LENGTH } from './graphic-rendition.ts'

/** The position in a control sequence. Its content is dropped, except the parameters of a colour. */
export type Sequence =
  | { kind: 'escape' }
  | { kind: 'intermediate' }
  /** `parameters` is absent once the sequence cannot be a colour. */
  | { kind: 'control'; parameters?: string }
  /** A string for a device or the operating system. `left` is how much of it is dropped before it counts as text. */
  | { kind: 'string'; endsWithBell: boolean; left: number }

/** The result of reading in a sequence: the position, whether it continues, and its colour. */
export interface EscapeStep {
  at: number
  sequence: Sequence | undefined
  color?: string
}

/** Maximum length of strings that are dropped, in UTF-16 code units. */
const MAX_COMMAND_LENGTH = 4 * 1024
const MAX_STRING_LENGTH = 64 * 1024
const BELL = 0x07
const LINE_FEED = 0x0a
const CANCEL = 0x18
const SUBSTITUTE = 0x1a
const ESCAPE = 0x1b
const DELETE = 0x7f
const FINAL_OF_COLOR = 0x6d

/** Returns the sequence that a control character begins, if any. Those of eight bits are short for escape and a letter. */
export function beginSequence(control: number): Sequence | undefined {
  if (control === ESCAPE) return { kind: 'escape' }
  return isEightBitControl(control) ? afterEscape(control - 0x40) : undefined
}

/** Reads a sequence to its end or to the end of the text. */
export function readSequence(text: string, from: number, begun: Sequence): EscapeStep {
  let sequence = begun
  for (let index = from; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    const next = readUnit(sequence, unit)
    if (next === 'before') return { at: index, sequence: undefined }
    if (next === 'with') return { at: index + 1, sequence: undefined, ...getColor(sequence, unit) }
    sequence = next
  }
  return { at: text.length, sequence }
}

/** Returns the next state after a unit: in the sequence, or its end, `with` the unit or `before` it. */
function readUnit(sequence: Sequence, unit: number): Sequence | 'with' | 'before' {
  if (unit === LINE_FEED) return 'before'
  if (unit === CANCEL || unit === SUBSTITUTE) return 'with'
  if (unit === ESCAPE || isEightBitControl(unit)) return beginSequence(unit) ?? 'with'
  if (sequence.kind === 'string') return readInString(sequence, unit)
  if (unit > DELETE) return 'before'
  if (unit < 0x20 || unit === DELETE) return sequence
  switch (sequence.kind) {
    case 'escape':
      return unit < 0x30 ? { kind: 'intermediate' } : (afterEscape(unit) ?? 'with')
    case 'intermediate':
      return unit < 0x30 ? sequence : 'with'
    case 'control':
      return unit < 0x40 ? withParameter(sequence, unit) : 'with'
  }
}

function readInString(
  sequence: Sequence & { kind: 'string' },
  unit: number,
): Sequence | 'with' | 'before' {
  if (unit === BELL && sequence.endsWithBell) return 'with'
  if (sequence.left <= 0 && !isLowSurrogate(unit)) return 'before'
  sequence.left -= 1
  return sequence
}

/** Digits, `:` and `;` are parameters of a colour. Any other unit makes it another sequence. */
function withParameter(sequence: Sequence & { kind: 'control' }, unit: number): Sequence {
  const { parameters } = sequence
  if (parameters === undefined) return sequence
  const isOfColor = unit >= 0x30 && unit <= 0x3b && parameters.length < MAX_PARAMETERS_LENGTH
  return isOfColor
    ? { kind: 'control', parameters: parameters + String.fromCharCode(unit) }
    : { kind: 'control' }
}

function getColor(sequence: Sequence, unit: number): { color?: string } {
  const isColor = sequence.kind === 'control' && unit === FINAL_OF_COLOR
  return isColor && sequence.parameters !== undefined ? { color: sequence.parameters } : {}
}

function afterEscape(unit: number): Sequence | undefined {
  switch (String.fromCharCode(unit)) {
    case '[':
      return { kind: 'control', parameters: '' }
    case ']':
      return { kind: 'string', endsWithBell: true, left: MAX_COMMAND_LENGTH }
    case 'P':
    case 'X':
    case '^':
    case '_':
      return { kind: 'string', endsWithBell: false, left: MAX_STRING_LENGTH }
  }
  return undefined
}

function isEightBitControl(unit: number): boolean {
  return unit >= 0x80 && unit <= 0x9f
}

/** The second half of a character, which stays with the first. */
function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
