import type { TerminalText } from '@toolblocks/protocol'
import { toTerminalText } from '../terminal-text.ts'
import { beginSequence, readSequence, type Sequence } from './escape-sequence.ts'
import { isShowable, parametersAt } from './graphic-rendition.ts'
import { isJoining } from './joining-characters.ts'
import { findOdd, isPlain, REPLACEMENT } from './odd-characters.ts'
import { RESET } from './open-renditions.ts'
import { createTextWriter } from './text-writer.ts'

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

/** Parameters that switch every colour off. */
const OFF = /^0*$/

/** Makes a sanitizer for one stream of text: its pieces come out as `sanitizeTerminalText` writes the whole. */
export function createTerminalSanitizer(options: SanitizeOptions = {}): TerminalSanitizer {
  const keepsColors = options.colors !== 'strip'
  const writer = createTextWriter()
  /** What reading stands within, the first half of a character, and whether colours are open. */
  let sequence: Sequence | undefined
  let half = ''
  let isColored = false

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
    if (step.color !== undefined && keepsColor(step.color)) writer.write(`\u001B[${step.color}m`)
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
      if (isColored) writer.write(RESET)
      sequence = undefined
      half = ''
      isColored = false
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
