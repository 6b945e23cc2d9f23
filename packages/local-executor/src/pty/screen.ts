import type { PtyLibraries } from './load-libraries.ts'
import { COLUMNS, type PseudoTerminal, ROWS } from './pseudo-terminal.ts'

/** A screen that nobody sees: it turns what a program writes into what a person would read. */
export interface Screen {
  write(data: string): void
  /** The visible lines, without blanks at their ends and empty lines at the bottom. */
  read(): Promise<string>
  close(): void
}

/** What the emulator reads without looking at the clock; between such slices it lets others work. In UTF-16 code units. */
const SLICE = 256

/** What waits for the emulator before the program has to wait, and when it may go on. */
const MAX_WAITING = 16 * 1024

const FEW_WAITING = 4 * 1024

/** What a program is told between two looks at its screen: one that never reads would have it pile up. */
const MAX_ANSWERS = 256

/** Makes a screen; the program gets what a terminal says back, such as where its cursor is. */
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
      for (let at = 0; at < bounded.length; at += SLICE) writeSlice(bounded.slice(at, at + SLICE))
      if (waiting > MAX_WAITING) program.pause()
    },
    read: async () => {
      answersLeft = MAX_ANSWERS
      // What was written is read in the background; an empty write ends behind it.
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

/** Where in the output of a program reading stands. */
type State =
  | { kind: 'text' }
  | { kind: 'escape'; collected: string }
  | { kind: 'control'; collected: string }
  /** A string for the terminal: titles, colours, pictures. Nothing of it is text. */
  | { kind: 'string'; endsWithBell: boolean }

const TEXT: State = { kind: 'text' }

/** Longer sequences are dropped. */
const MAX_SEQUENCE_LENGTH = 64

/** Marks that one letter may have; an emulator keeps them all. */
const MAX_MARKS = 8

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

  /** One character of `ESC …` or `CSI …`, which its final ends. */
  function readSequence(begun: State & { collected: string }, character: string): string {
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
const MAX_MODE = 9999

/**
 * Writes `CSI … final` as it may reach a screen; empty if it has no business there. Counts do nothing more beyond the screen,
 * but an emulator would count.
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

/** The same for `ESC … final`. */
export function boundEscape(collected: string, final: string): string {
  const sequence = collected + final
  const isKept =
    (collected === '' && ESCAPES.includes(final)) ||
    CHARACTER_SET.test(sequence) ||
    sequence === '#8'
  return isKept ? `\u001B${sequence}` : ''
}
