import type { TerminalText } from '@toolblocks/protocol'
import { toTerminalText } from '../terminal-text.ts'
import { beginSequence, readSequence, type Sequence } from './escape-sequence.ts'
import { readRenditions } from './graphic-rendition.ts'
import { isAtHome, isJoining, JOINING_CONTEXT } from './joining-characters.ts'
import { oddCharacters } from './odd-characters.ts'
import { applyRenditions, type OpenRenditions, RESET } from './open-renditions.ts'

/** How text is sanitized. */
export interface SanitizeOptions {
  /** `keep` (default): colour and weight of letters stay. `strip`: they go, as for a file or with `NO_COLOR`. */
  colors?: 'keep' | 'strip'
}

/** Sanitizes text that comes in pieces. */
export interface TerminalSanitizer {
  /** The next piece, cut anywhere. A piece alone may leave colours open, which `finish` closes. */
  push(chunk: string): TerminalText
  /** What is left at the end: what was waited with, and the end of open colours. The sanitizer is new again after it. */
  finish(): TerminalText
}

const REPLACEMENT = '\uFFFD'
const BEYOND_ASCII = /[^\n\t\x20-\x7E]/
const HIGH_SURROGATE_AT_END = /[\uD800-\uDBFF]$/

/** Makes a sanitizer for one stream of text; see `sanitizeTerminalText`. */
export function createTerminalSanitizer(options: SanitizeOptions = {}): TerminalSanitizer {
  const keepsColors = options.colors !== 'strip'
  const odd = oddCharacters()
  const open: OpenRenditions = new Map()
  let sequence: Sequence | undefined
  let surrogate = ''
  let joining = ''
  let before = ''
  let output = ''

  function write(text: string): void {
    if (text === '') return
    if (joining !== '') settle(text)
    output += text
    before =
      text.length < JOINING_CONTEXT
        ? (before + text).slice(-JOINING_CONTEXT)
        : text.slice(-JOINING_CONTEXT)
  }

  function settle(after: string): void {
    const written = isAtHome(joining, before, after) ? joining : REPLACEMENT
    joining = ''
    write(written)
  }

  function writeColor(parameters: string): void {
    const renditions = keepsColors ? readRenditions(parameters) : undefined
    if (!renditions) return
    applyRenditions(open, renditions)
    write(`\u001B[${parameters}m`)
  }

  function readOdd(character: string): void {
    const code = character.codePointAt(0) ?? 0
    if (isJoining(character)) {
      if (joining !== '') settle(character)
      joining = character
    } else if (code < 0x20 || (code >= 0x7f && code <= 0x9f)) sequence = beginSequence(code)
    else write(REPLACEMENT)
  }

  function read(text: string): void {
    let at = 0
    while (at < text.length) {
      if (sequence) {
        const step = readSequence(text, at, sequence)
        sequence = step.sequence
        at = step.at
        if (step.color !== undefined) writeColor(step.color)
        continue
      }
      odd.lastIndex = at
      const found = odd.exec(text)
      write(text.slice(at, found?.index ?? text.length))
      if (!found) return
      at = found.index + found[0].length
      readOdd(found[0])
    }
  }

  function take(): TerminalText {
    const taken = output
    output = ''
    return toTerminalText(taken)
  }

  return {
    push: (chunk) => {
      const text = surrogate + chunk
      surrogate = HIGH_SURROGATE_AT_END.exec(text)?.[0] ?? ''
      if (!sequence && joining === '' && surrogate === '' && !BEYOND_ASCII.test(text)) write(text)
      else read(surrogate === '' ? text : text.slice(0, -1))
      return take()
    },
    finish: () => {
      read(surrogate)
      if (joining !== '') settle('')
      if (open.size > 0) output += RESET
      open.clear()
      sequence = undefined
      surrogate = ''
      before = ''
      return take()
    },
  }
}
