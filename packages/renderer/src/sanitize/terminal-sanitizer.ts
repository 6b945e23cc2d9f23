import {
  type OptionChoices,
  requireArguments,
  requireChoices,
  countCharacters,
} from '@toolblocks/protocol/internal'
import { type TerminalText } from '@toolblocks/protocol'
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
  findUnsafe,
  getFlag,
  isJoining,
  isPlain,
  joinsNeighbours,
} from './unsafe-characters.ts'
import { toTerminalText } from './terminal-text.ts'

/** Options for sanitizing text. */
export interface SanitizeOptions {
  /** `keep` (default): colour and weight of letters stay. `strip`: they are removed, as for a file or with `NO_COLOR`. */
  colors?: 'keep' | 'strip'
}

/** The words of the options of `SanitizeOptions`. */
export const SANITIZE_CHOICES = {
  colors: ['keep', 'strip'],
} as const satisfies OptionChoices<SanitizeOptions>

/** Sanitizes text that arrives in pieces. */
export interface TerminalSanitizer {
  /** Takes the next piece, split anywhere. The returned text may leave colours open. */
  push(chunk: string): TerminalText
  /** Returns the buffered rest, and closes open colours. The sanitizer can then be used again. */
  finish(): TerminalText
}

/** Creates a sanitizer for one stream of text. Its pieces together are the output of `sanitizeTerminalText`. */
export function createTerminalSanitizer(options: SanitizeOptions = {}): TerminalSanitizer {
  requireArguments('createTerminalSanitizer(options)', [options, 'object?'])
  requireChoices('createTerminalSanitizer(options)', 'options', options, SANITIZE_CHOICES)
  const keepsColors = options.colors !== 'strip'
  const writer = createTextWriter()
  const readColor = createColorReader()
  /** The current sequence, the first half of a character, and the open colours. */
  let sequence: Sequence | undefined
  let half = ''
  const open: OpenRenditions = new Map()
  let grounds = OWN_GROUNDS

  function read(text: string): void {
    if (!sequence && isPlain(text)) return writer.write(text)
    let index = 0
    let unwritten = 0
    while (index < text.length) {
      if (sequence) index = unwritten = readOn(sequence, text, index)
      else {
        index = findUnsafe(text, index)
        const kept = keptColorAt(text, index)
        if (kept > 0) index += kept
        else {
          writer.write(text.slice(unwritten, index))
          index = unwritten = readOdd(text, index)
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

  /** Returns the length of a colour that can stay unchanged, so that the text around it is written in one piece. */
  function keptColorAt(text: string, index: number): number {
    const parameters = parametersAt(text, index)
    if (parameters === undefined || parameters.includes(':')) return 0
    return keepColor(parameters) === parameters ? parameters.length + 3 : 0
  }

  /** Returns the parameters of a colour; `undefined` if it is dropped. A colour that would hide letters is dropped. */
  function keepColor(parameters: string): string | undefined {
    const color = keepsColors ? readColor(parameters) : undefined
    if (!color) return undefined
    const after = { ...grounds, ...color.change }
    if (!areLettersVisible(after)) return undefined
    grounds = after
    applyRenditions(open, color.renditions)
    return color.parameters
  }

  function readOdd(text: string, index: number): number {
    const code = text.codePointAt(index)
    if (code === undefined) return index
    if (isControl(code)) {
      sequence = beginSequence(code)
      return index + 1
    }
    const character = String.fromCodePoint(code)
    if (isJoining(character)) writer.writeJoining(character)
    else writer.write(REPLACEMENT)
    return index + character.length
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

/** Returns the first half of a character whose second half may come with the next piece. */
function halfAtEnd(text: string): string {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff ? text.slice(-1) : ''
}

/** Collects text. A joining character waits until the next character is known. */
interface TextWriter {
  write(text: string): void
  writeJoining(character: string): void
  /** Returns the collected text. */
  take(): string
  /** Returns the collected text to its end. The writer can then be used again. */
  end(): string
}

/** Creates a writer for one stream of text. */
function createTextWriter(): TextWriter {
  let output = ''
  /** The end of the written text, which decides about a joining character. */
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
    const characters = joins ? waiting : REPLACEMENT.repeat(countCharacters(waiting))
    waiting = ''
    write(characters)
  }

  /** Tags wait until they are a flag, or cannot become one. */
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
