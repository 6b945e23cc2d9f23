import { boundControl, boundEscape } from './control-sequence.ts'

/** Where in the output of a program reading stands. */
type State =
  | { kind: 'text' }
  | { kind: 'escape'; collected: string }
  | { kind: 'control'; collected: string }
  /** A string for the terminal: titles, colours, pictures. Nothing of it is text. */
  | { kind: 'string'; endsWithBell: boolean }

const TEXT: State = { kind: 'text' }
/** Longer sequences are dropped. */
const LONGEST_SEQUENCE = 64
/** Marks that one letter may have; an emulator keeps them all. */
const MOST_MARKS = 8

const BELL = 0x07
const CANCEL = 0x18
const SUBSTITUTE = 0x1a
const ESCAPE = 0x1b
/** Back, tab, line feed, the two that count as one, return, and the two that change the character set. */
const KEPT_CONTROLS = '\b\t\n\v\f\r\u000E\u000F'
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const CONTROLS = /[\0-\x1F\x7F-\x9F]/g
const PLAIN = /^[\x20-\x7E]*$/
/** What takes no place of its own: marks, joiners, fillers, the vowels and tails of old Hangul, and one sign. */
const MARK = /^[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}\u1160-\u11FF\u06DE]/u

/**
 * Makes a filter for what a program writes, in pieces cut anywhere: an emulator gets text, moves and erasures whose work is
 * that of a few screens at most, whatever was written.
 */
export function createOutputBound(): (data: string) => string {
  let state: State = TEXT
  let marksLeft = 0

  function boundText(text: string): string {
    if (PLAIN.test(text)) {
      if (text !== '') marksLeft = MOST_MARKS
      return text
    }
    let bounded = ''
    for (const character of text) {
      const isMark = MARK.test(character)
      if (isMark && marksLeft === 0) continue
      marksLeft = isMark ? marksLeft - 1 : MOST_MARKS
      bounded += character
    }
    return bounded
  }

  function readControl(code: number): string {
    if (code === CANCEL || code === SUBSTITUTE) state = TEXT
    else if (code === ESCAPE) state = { kind: 'escape', collected: '' }
    else if (code >= 0x80) state = afterEscape(String.fromCharCode(code - 0x40)) ?? TEXT
    else if (state.kind === 'string') {
      if (code === BELL && state.endsWithBell) state = TEXT
    } else {
      const control = String.fromCharCode(code)
      marksLeft = 0
      return KEPT_CONTROLS.includes(control) ? control : ''
    }
    return ''
  }

  /** One character of `ESC …` or `CSI …`, which its final ends. */
  function readSequence(begun: State & { collected: string }, character: string): string {
    const opened = begun.kind === 'escape' && begun.collected === '' && afterEscape(character)
    if (opened) {
      state = opened
      return ''
    }
    const firstFinal = begun.kind === 'escape' ? '0' : '@'
    if (character < firstFinal) {
      if (begun.collected.length < LONGEST_SEQUENCE) begun.collected += character
      return ''
    }
    state = TEXT
    marksLeft = 0
    if (begun.collected.length >= LONGEST_SEQUENCE) return ''
    return begun.kind === 'escape'
      ? boundEscape(begun.collected, character)
      : boundControl(begun.collected, character)
  }

  return (data) => {
    let bounded = ''
    for (let at = 0; at < data.length;) {
      const code = data.charCodeAt(at)
      if (isControl(code)) {
        bounded += readControl(code)
        at += 1
      } else if (state.kind === 'text' || state.kind === 'string') {
        CONTROLS.lastIndex = at
        const end = CONTROLS.exec(data)?.index ?? data.length
        if (state.kind === 'text') bounded += boundText(data.slice(at, end))
        at = end
      } else {
        bounded += readSequence(state, data.charAt(at))
        at += 1
      }
    }
    return bounded
  }
}

function isControl(code: number): boolean {
  return code < 0x20 || (code >= 0x7f && code <= 0x9f)
}

function afterEscape(character: string): State | undefined {
  switch (character) {
    case '[':
      return { kind: 'control', collected: '' }
    case ']':
      return { kind: 'string', endsWithBell: true }
    case 'P':
    case 'X':
    case '^':
    case '_':
      return { kind: 'string', endsWithBell: false }
  }
  return undefined
}
