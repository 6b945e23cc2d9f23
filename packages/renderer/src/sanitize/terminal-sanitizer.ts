import type { TerminalText } from '@toolblocks/protocol'
import { toTerminalText } from '../terminal-text.ts'
import { beginSequence, readSequence, type Sequence } from './escape-sequence.ts'
import { isShowable, parametersAt } from './graphic-rendition.ts'
import { isAtHome, isJoining, JOINING_CONTEXT } from './joining-characters.ts'
import { findOdd, isPlain } from './odd-characters.ts'
import { RESET } from './open-renditions.ts'

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

const REPLACEMENT = '\uFFFD'
/** Parameters that switch every colour off. */
const OFF = /^0*$/

/** Makes a sanitizer for one stream of text: its pieces come out as `sanitizeTerminalText` writes the whole. */
export function createTerminalSanitizer(options: SanitizeOptions = {}): TerminalSanitizer {
  const keepsColors = options.colors !== 'strip'
  /** What reading stands within, the first half of a character, and a character that waits for the next. */
  let sequence: Sequence | undefined
  let half = ''
  let waiting = ''
  /** The end of what was written, and whether colours are open there. */
  let before = ''
  let isColored = false
  let output = ''

  function write(text: string): void {
    if (text === '') return
    if (waiting !== '') settle(text)
    output += text
    const end = text.length < JOINING_CONTEXT ? before + text : text
    before = end.slice(-JOINING_CONTEXT)
  }

  function settle(after: string): void {
    const settled = isAtHome(waiting, before, after) ? waiting : REPLACEMENT
    waiting = ''
    write(settled)
  }

  function read(text: string): void {
    if (!sequence && isPlain(text)) return write(text)
    let at = 0
    let unwritten = 0
    while (at < text.length) {
      if (sequence) at = unwritten = readOn(sequence, text, at)
      else {
        at = findOdd(text, at)
        const kept = keptColorAt(text, at)
        if (kept > 0) at += kept
        else {
          write(text.slice(unwritten, at))
          at = unwritten = readOdd(text, at)
        }
      }
    }
    write(text.slice(unwritten))
  }

  function readOn(begun: Sequence, text: string, from: number): number {
    const step = readSequence(text, from, begun)
    sequence = step.sequence
    if (step.color !== undefined && keepsColor(step.color)) write(`\u001B[${step.color}m`)
    return step.at
  }

  /** The length of a colour that can stay where it stands, so that what is around it is written in one piece. */
  function keptColorAt(text: string, at: number): number {
    const parameters = parametersAt(text, at)
    return parameters !== undefined && keepsColor(parameters) ? parameters.length + 3 : 0
  }

  function keepsColor(parameters: string): boolean {
    const isKept = keepsColors && isShowable(parameters)
    if (isKept) isColored = !OFF.test(parameters)
    return isKept
  }

  function readOdd(text: string, at: number): number {
    const code = text.codePointAt(at)
    if (code === undefined) return at
    if (isControl(code)) {
      sequence = beginSequence(code)
      return at + 1
    }
    const character = String.fromCodePoint(code)
    if (!isJoining(character)) write(REPLACEMENT)
    else {
      if (waiting !== '') settle(character)
      waiting = character
    }
    return at + character.length
  }

  function take(): TerminalText {
    const taken = output
    output = ''
    return toTerminalText(taken)
  }

  return {
    push: (chunk) => {
      const text = half + chunk
      half = halfAtEnd(text)
      read(half === '' ? text : text.slice(0, -1))
      return take()
    },
    finish: () => {
      read(half)
      if (waiting !== '') settle('')
      if (isColored) write(RESET)
      sequence = undefined
      half = before = ''
      isColored = false
      return take()
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
