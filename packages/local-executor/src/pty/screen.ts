import type { PtyLibraries } from './load-libraries.ts'
import { COLUMNS, type PseudoTerminal, ROWS } from './pseudo-terminal.ts'

/** A screen without a display: it turns the output of a program into the text that a person would see. */
export interface Screen {
  write(data: string): void
  /** Returns the visible lines, without blanks at their ends and empty lines at the bottom. */
  read(): Promise<string>
  close(): void
}

/** The amount of text that the emulator reads before other work may run, in UTF-16 code units. */
const SLICE = 256

/** How much text may wait for the emulator before the program is paused, and at which amount it resumes. */
const MAX_WAITING = 16 * 1024

const FEW_WAITING = 4 * 1024

/** The maximum of answers to a program between two reads of its screen: a program that never reads them would fill the memory. */
const MAX_ANSWERS = 256

/** Creates a screen. The program receives the answers of a terminal, such as the position of its cursor. */
export function createScreen(
  Terminal: PtyLibraries['Terminal'],
  program: Pick<PseudoTerminal, 'type' | 'pause' | 'resume'>,
): Screen {
  const terminal = new Terminal({
    rows: ROWS,
    cols: COLUMNS,
    scrollback: 0,
    logLevel: 'off',
    allowProposedApi: true,
  })
  const bound = createOutputBound()
  let waiting = 0
  let answersLeft = MAX_ANSWERS
  let isClosed = false
  terminal.onData((data) => {
    answersLeft -= 1
    if (answersLeft >= 0) program.type(data)
  })

  function writeSlice(slice: string): void {
    waiting += slice.length
    terminal.write(slice, () => {
      const before = waiting
      waiting -= slice.length
      if (before > FEW_WAITING && waiting <= FEW_WAITING) program.resume()
    })
  }

  return {
    write: (data) => {
      if (isClosed) return
      const bounded = bound(data)
      for (let start = 0; start < bounded.length; start += SLICE)
        writeSlice(bounded.slice(start, start + SLICE))
      if (waiting > MAX_WAITING) program.pause()
    },
    read: async () => {
      answersLeft = MAX_ANSWERS
      // Text is processed in the background; an empty write completes after all earlier ones.
      await new Promise<void>((done) => terminal.write('', done))
      const { active } = terminal.buffer
      const lines = Array.from({ length: ROWS }, (_, row) =>
        (active.getLine(active.viewportY + row)?.translateToString(true) ?? '').trimEnd(),
      )
      return lines.join('\n').trimEnd()
    },
    close: () => {
      isClosed = true
      terminal.dispose()
      program.resume()
    },
  }
}

/** The state of the parser of a program's output. */
type ScreenState =
  | { kind: 'text' }
  | { kind: 'escape'; collected: string }
  | { kind: 'control'; collected: string }
  /** A string for the terminal: titles, colours, pictures. It contains no visible text. */
  | { kind: 'string'; endsWithBell: boolean }

const TEXT: ScreenState = { kind: 'text' }

/** Longer sequences are dropped. */
const MAX_SEQUENCE_LENGTH = 64

/** The maximum number of marks of one letter; an emulator would keep them all. */
const MAX_MARKS = 8

const BELL = 0x07

const CANCEL = 0x18

const SUBSTITUTE = 0x1a

const ESCAPE = 0x1b

/** Backspace, tab, line feed, vertical tab and form feed (which act as line feed), carriage return, and the two that change the character set. */
const KEPT_CONTROLS = '\b\t\n\v\f\r\u000E\u000F'

// oxlint-disable-next-line no-control-regex -- they are what is looked for
const CONTROLS = /[\0-\x1F\x7F-\x9F]/g

const PLAIN = /^[\x20-\x7E]*$/

/** Characters without a column of their own: marks, joiners, fillers, the vowels and finals of old Hangul, and one sign. */
const MARK = /^[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}\u1160-\u11FF\u06DE]/u

/**
 * Creates a filter for the output of a program, in pieces cut anywhere. An emulator then receives only text, moves and erasures that cost as much
 * as a few screens at most.
 */
export function createOutputBound(): (data: string) => string {
  let state: ScreenState = TEXT
  let marksLeft = 0

  function boundText(text: string): string {
    if (PLAIN.test(text)) {
      if (text !== '') marksLeft = MAX_MARKS
      return text
    }
    let bounded = ''
    for (const character of text) {
      const isMark = MARK.test(character)
      if (isMark && marksLeft === 0) continue
      marksLeft = isMark ? marksLeft - 1 : MAX_MARKS
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

  /** Reads one character of `ESC …` or `CSI …`; the final character ends it. */
  function readSequence(begun: ScreenState & { collected: string }, character: string): string {
    const opened = begun.kind === 'escape' && begun.collected === '' && afterEscape(character)
    if (opened) {
      state = opened
      return ''
    }
    const firstFinal = begun.kind === 'escape' ? '0' : '@'
    if (character < firstFinal) {
      if (begun.collected.length < MAX_SEQUENCE_LENGTH) begun.collected += character
      return ''
    }
    state = TEXT
    marksLeft = 0
    if (begun.collected.length >= MAX_SEQUENCE_LENGTH) return ''
    return begun.kind === 'escape'
      ? boundEscape(begun.collected, character)
      : boundControl(begun.collected, character)
  }

  return (data) => {
    let bounded = ''
    for (let position = 0; position < data.length;) {
      const code = data.charCodeAt(position)
      if (isControl(code)) {
        bounded += readControl(code)
        position += 1
      } else if (state.kind === 'text' || state.kind === 'string') {
        CONTROLS.lastIndex = position
        const end = CONTROLS.exec(data)?.index ?? data.length
        if (state.kind === 'text') bounded += boundText(data.slice(position, end))
        position = end
      } else {
        bounded += readSequence(state, data.charAt(position))
        position += 1
      }
    }
    return bounded
  }
}

function isControl(code: number): boolean {
  return code < 0x20 || (code >= 0x7f && code <= 0x9f)
}

function afterEscape(character: string): ScreenState | undefined {
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

/** Final characters of `CSI` by the character before the parameters: those that can change the screen or ask for its state. */
const FINALS: Readonly<Record<string, string>> = {
  '': '@ABCDEFGHIJKLMPSTXZ`abcdefghlnrsu',
  '?': 'hlJKn',
  '>': 'c',
}

/** Characters after `ESC`: save and restore the cursor, move by lines, tab stops, reset. */
const ESCAPES = '78DEHMc'

const SOFT_RESET = '!p'

const CONTROL = /^([?>]?)([\d;:]*)$/

const CHARACTER_SET = /^[()*+][0-~]$/

/** The largest number of a mode that has a meaning. */
const MAX_MODE = 9999

/**
 * Returns `CSI … final` in a safe form; empty if it does not affect the screen. A count above the size of the screen has no further effect, but an
 * emulator would loop over it.
 */
export function boundControl(collected: string, final: string): string {
  if (collected + final === SOFT_RESET) return `\u001B[${SOFT_RESET}`
  const [, marker, parameters] = CONTROL.exec(collected) ?? []
  if (marker === undefined || parameters === undefined) return ''
  if (!FINALS[marker]?.includes(final)) return ''
  const largest = getLargest(final)
  const bounded = parameters.replaceAll(/\d+/g, (digits) => `${Math.min(Number(digits), largest)}`)
  return `\u001B[${marker}${bounded}${final}`
}

function getLargest(final: string): number {
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
      return MAX_MODE
  }
  return COLUMNS
}

/** Returns `ESC … final` in a safe form, as `boundControl` does. */
export function boundEscape(collected: string, final: string): string {
  const sequence = collected + final
  const isKept =
    (collected === '' && ESCAPES.includes(final)) ||
    CHARACTER_SET.test(sequence) ||
    sequence === '#8'
  return isKept ? `\u001B${sequence}` : ''
}
