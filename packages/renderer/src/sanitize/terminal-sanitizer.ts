import { type TerminalText } from '@toolblocks/protocol'
import { countCharacters } from '@toolblocks/protocol/text'
import { type Sequence, beginSequence, readSequence } from './escape-sequence.ts'
import {
  OWN_GROUNDS,
  type OpenRenditions,
  RESET,
  applyRenditions,
  areLettersVisible,
  createColorReader,
  parametersAt,
} from './graphic-rendition.ts'
import {
  JOINING_CONTEXT,
  REPLACEMENT,
  beginsWithTag,
  findOdd,
  getFlag,
  isJoining,
  isPlain,
  joinsNeighbours,
} from './odd-characters.ts'
import { toTerminalText } from './terminal-text.ts'

/** How text is sanitized. */
export interface SanitizeOptions {
  /** `keep` (default): colour and weight of letters stay. `strip`: they go, as for a file or with `NO_COLOR`. */
  colors?: 'keep' | 'strip'
}

/** Sanitizes text that comes in pieces. */
export interface TerminalSanitizer {
  /** Takes the next piece, cut anywhere. What comes back may leave colours open. */
  push(chunk: string): TerminalText
  /** Gives what was waited with, and closes open colours. The sanitizer is as new after it. */
  finish(): TerminalText
}

/** Makes a sanitizer for one stream of text: its pieces come out as `sanitizeTerminalText` writes the whole. */
export function createTerminalSanitizer(options: SanitizeOptions = {}): TerminalSanitizer {
  const keepsColors = options.colors !== 'strip'
  const writer = createTextWriter()
  const readColor = createColorReader()
  /** What reading stands within, the first half of a character, and which colours are open. */
  let sequence: Sequence | undefined
  let half = ''
  const open: OpenRenditions = new Map()
  let grounds = OWN_GROUNDS

  function read(text: string): void {
    if (!sequence && isPlain(text)) return writer.write(text)
    let at = 0
    let unwritten = 0
    while (at < text.length) {
      if (sequence) at = unwritten = readOn(sequence, text, at)
      else {
        at = findOdd(text, at)
        const kept = keptColorAt(text, at)
        if (kept > 0) at += kept
        else {
          writer.write(text.slice(unwritten, at))
          at = unwritten = readOdd(text, at)
        }
      }
    }
    writer.write(text.slice(unwritten))
  }

  function readOn(begun: Sequence, text: string, from: number): number {
    const step = readSequence(text, from, begun)
    sequence = step.sequence
    const kept = step.color === undefined ? undefined : keepColor(step.color)
    if (kept !== undefined) writer.write(`\u001B[${kept}m`)
    return step.at
  }

  /** The length of a colour that can stay where it stands, so that what is around it is written in one piece. */
  function keptColorAt(text: string, at: number): number {
    const parameters = parametersAt(text, at)
    if (parameters === undefined || parameters.includes(':')) return 0
    return keepColor(parameters) === parameters ? parameters.length + 3 : 0
  }

  /** The parameters a colour is written with; undefined for one that is dropped. Dropped is what would hide letters. */
  function keepColor(parameters: string): string | undefined {
    const color = keepsColors ? readColor(parameters) : undefined
    if (!color) return undefined
    const after = { ...grounds, ...color.change }
    if (!areLettersVisible(after)) return undefined
    grounds = after
    applyRenditions(open, color.renditions)
    return color.parameters
  }

  function readOdd(text: string, at: number): number {
    const code = text.codePointAt(at)
    if (code === undefined) return at
    if (isControl(code)) {
      sequence = beginSequence(code)
      return at + 1
    }
    const character = String.fromCodePoint(code)
    if (isJoining(character)) writer.writeJoining(character)
    else writer.write(REPLACEMENT)
    return at + character.length
  }

  return {
    push: (chunk) => {
      const text = half + chunk
      half = halfAtEnd(text)
      read(half === '' ? text : text.slice(0, -1))
      return toTerminalText(writer.take())
    },
    finish: () => {
      read(half)
      if (open.size > 0) writer.write(RESET)
      sequence = undefined
      half = ''
      open.clear()
      grounds = OWN_GROUNDS
      return toTerminalText(writer.end())
    },
  }
}

function isControl(code: number): boolean {
  return code < 0x20 || (code >= 0x7f && code <= 0x9f)
}

/** The first half of a character whose second half may come with the next piece. */
function halfAtEnd(text: string): string {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff ? text.slice(-1) : ''
}

/** Collects text; a joining character waits until it is known what follows. */
interface TextWriter {
  write(text: string): void
  writeJoining(character: string): void
  /** What was collected. */
  take(): string
  /** What was collected, to the end; the writer is as new after it. */
  end(): string
}

/** Makes a writer for one stream of text. */
function createTextWriter(): TextWriter {
  let output = ''
  /** The end of what was written, on which a joining character depends as well. */
  let before = ''
  let waiting = ''

  function write(text: string): void {
    if (text === '') return
    if (waiting !== '') writeWaiting(text)
    output += text
    const end = text.length < JOINING_CONTEXT ? before + text : text
    before = end.slice(-JOINING_CONTEXT)
  }

  function writeWaiting(after: string): void {
    const joins = !beginsWithTag(waiting) && joinsNeighbours(waiting, before, after)
    const shown = joins ? waiting : REPLACEMENT.repeat(countCharacters(waiting))
    waiting = ''
    write(shown)
  }

  /** Tags wait until they have made a flag, or cannot any more. */
  function writeTag(tag: string): void {
    if (waiting !== '' && !beginsWithTag(waiting)) writeWaiting(tag)
    waiting += tag
    const flag = getFlag(before, waiting)
    if (flag === 'none') writeWaiting('')
    if (flag !== 'whole') return
    const tags = waiting
    waiting = ''
    write(tags)
  }

  function take(): string {
    const taken = output
    output = ''
    return taken
  }

  return {
    write,
    writeJoining: (character) => {
      if (beginsWithTag(character)) return writeTag(character)
      if (waiting !== '') writeWaiting(character)
      waiting = character
    },
    take,
    end: () => {
      if (waiting !== '') writeWaiting('')
      before = ''
      return take()
    },
  }
}
