/** Where in a control sequence reading stands; what it holds is dropped, except the parameters of a colour. */
export type Sequence =
  | { type: 'escape' }
  | { type: 'intermediate' }
  /** `parameters` is absent once the sequence cannot be a colour any more. */
  | { type: 'control'; parameters?: string }
  /** A string of a device or the operating system; `left` is how much of it is dropped before it counts as text. */
  | { type: 'string'; endsWithBell: boolean; left: number }

/** What reading on in a sequence came to: where, and whether it is over, and the colour it was. */
export interface Step {
  at: number
  sequence: Sequence | undefined
  color?: string
}

/** Longest parameters of a colour, and longest strings that are dropped, in UTF-16 code units. */
const LONGEST_PARAMETERS = 64
const LONGEST_COMMAND = 4 * 1024
const LONGEST_STRING = 64 * 1024

const BELL = 0x07
const LINE_FEED = 0x0a
const CANCEL = 0x18
const SUBSTITUTE = 0x1a
const ESCAPE = 0x1b
const DELETE = 0x7f
const SMALL_M = 0x6d

/** The sequence a control character begins, if it begins one. Controls of 8 bits are like escape and a letter. */
export function beginSequence(control: number): Sequence | undefined {
  if (control === ESCAPE) return { type: 'escape' }
  return control >= 0x80 && control <= 0x9f ? afterEscape(control - 0x40) : undefined
}

/** Reads a sequence on to its end, or to the end of the text. A line feed ends any sequence, and is not part of it. */
export function readSequence(text: string, from: number, begun: Sequence): Step {
  let sequence = begun
  for (let at = from; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit === LINE_FEED) return { at, sequence: undefined }
    if (unit === CANCEL || unit === SUBSTITUTE) return { at: at + 1, sequence: undefined }
    if (unit === ESCAPE || (unit >= 0x80 && unit <= 0x9f)) {
      const next = beginSequence(unit)
      if (!next) return { at: at + 1, sequence: undefined }
      sequence = next
      continue
    }
    switch (sequence.type) {
      case 'string':
        if (unit === BELL && sequence.endsWithBell) return { at: at + 1, sequence: undefined }
        if (sequence.left === 0) return { at, sequence: undefined }
        sequence.left -= 1
        continue
      case 'escape': {
        if (unit < 0x20 || unit === DELETE) continue
        if (unit > DELETE) return { at, sequence: undefined }
        const next: Sequence | undefined =
          unit < 0x30 ? { type: 'intermediate' } : afterEscape(unit)
        if (!next) return { at: at + 1, sequence: undefined }
        sequence = next
        continue
      }
      case 'intermediate':
        if (unit > DELETE) return { at, sequence: undefined }
        if (unit >= 0x30 && unit !== DELETE) return { at: at + 1, sequence: undefined }
        continue
      case 'control':
        if (unit > DELETE) return { at, sequence: undefined }
        if (unit < 0x20 || unit === DELETE) continue
        if (unit >= 0x40) {
          const { parameters } = sequence
          const isColor = unit === SMALL_M && parameters !== undefined
          return { at: at + 1, sequence: undefined, ...(isColor && { color: parameters }) }
        }
        sequence = withParameter(sequence, unit)
    }
  }
  return { at: text.length, sequence }
}

function afterEscape(unit: number): Sequence | undefined {
  switch (String.fromCharCode(unit)) {
    case '[':
      return { type: 'control', parameters: '' }
    case ']':
      return { type: 'string', endsWithBell: true, left: LONGEST_COMMAND }
    case 'P':
    case 'X':
    case '^':
    case '_':
      return { type: 'string', endsWithBell: false, left: LONGEST_STRING }
  }
  return undefined
}

/** Digits, `:` and `;` are parameters of a colour; anything else makes another sequence of it. */
function withParameter(sequence: Sequence & { type: 'control' }, unit: number): Sequence {
  const { parameters } = sequence
  if (parameters === undefined) return sequence
  if (unit < 0x30 || unit > 0x3b || parameters.length === LONGEST_PARAMETERS) {
    return { type: 'control' }
  }
  return { type: 'control', parameters: parameters + String.fromCharCode(unit) }
}
