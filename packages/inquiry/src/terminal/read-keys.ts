import { type Key, emitKeypressEvents } from 'node:readline'
import { PassThrough } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import type { TerminalInput } from './terminal-streams.ts'

/** What the keys of a person mean for a prompt. */
export interface KeyReader {
  /** Emits `keypress` for each key that the prompt receives. Nothing is ever written to it. */
  keyboard: PassThrough
  /** Starts to deliver keys. Until then they are discarded: they were typed before the prompt could be read. */
  open: () => void
  /** Whether something was typed before the prompt was shown. */
  hasDiscarded: () => boolean
  /** Delivers a key that nobody pressed. */
  press: (text: string | undefined, key: Key) => void
  close: () => void
}

/**
 * Line breaks in a pasted text: `kept` where a person types several lines, `marked` by `LINE_BREAK` in the one line of a text, and replaced by
 * `spaces` where a person chooses.
 */
export type PastedLineBreaks = 'kept' | 'marked' | 'spaces'

/** Stands for a line break in a line, because the library reads a line break as Enter. It can be neither typed nor pasted. */
export const LINE_BREAK = '\v'

/** How keys are read. */
interface KeyOptions {
  lineBreaks: PastedLineBreaks
  /** Receives the keys that end a prompt, also while keys are discarded. */
  onEnd: (key: 'interrupt' | 'escape' | 'end-of-input') => void
}

/** For so many milliseconds after a prompt was shown, Enter answers nothing: nobody reads a question faster. */
export const MIN_READING_MS = 300

/** No key produces them, but they can be pasted, and input is echoed. */
const EIGHT_BIT_CONTROLS = /[\u0080-\u009F]/g

/** Milliseconds after which an Esc is a key and not the beginning of a sequence. */
const ESCAPE_MS = 50

/**
 * Reads the keys of one prompt. The library never holds the terminal itself: when a terminal hangs up, the library's readline would end the
 * process. A pasted text is delivered as text, whatever keys it contains, so it can neither send nor choose anything, also if the terminal does not mark it.
 */
export function readKeys(
  input: Pick<TerminalInput, 'on' | 'off'>,
  { lineBreaks, onEnd }: KeyOptions,
): KeyReader {
  const keyboard = new PassThrough()
  const typed = new PassThrough()
  const decoder = new StringDecoder()
  let shownAt: number | undefined
  let hasDiscarded = false
  let pasted: string | undefined

  const press = (text: string | undefined, key: Key): void => {
    keyboard.emit('keypress', text, key)
  }
  const paste = (text: string): void => {
    // Character by character where lines are typed: the library moves its cursor by one for each key.
    const parts = lineBreaks === 'kept' ? readPastedLines(text).split('') : [inOneLine(text)]
    for (const part of parts) if (part !== '') press(part, { sequence: part })
  }
  const inOneLine = (text: string): string =>
    lineBreaks === 'marked' ? readPastedText(text) : readPastedLine(text)
  const onKey = (text: string | undefined, key: Key): void => {
    const is = getMeaning(key)
    if (is === 'interrupt') {
      pasted = undefined
      return onEnd(is)
    }
    if (shownAt === undefined) {
      hasDiscarded ||= key.name === 'return' || isPrintable(text)
      return
    }
    if (is === 'paste-start') pasted = ''
    else if (is === 'paste-end') {
      paste(pasted ?? '')
      pasted = undefined
    } else if (pasted !== undefined) pasted += text ?? ''
    else if (is === 'escape' || is === 'end-of-input') onEnd(is)
    else if (key.name === 'return' && performance.now() - shownAt < MIN_READING_MS) return
    // It would stop the process without restoring the terminal.
    else if (!(key.ctrl && key.name === 'z')) press(text, key)
  }
  const onData = (data: Uint8Array | string): void => {
    const text = decoder.write(data).replaceAll(EIGHT_BIT_CONTROLS, '')
    if (shownAt !== undefined && pasted === undefined && isUnmarkedPaste(text)) paste(text)
    else typed.write(text)
  }

  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Node reads only this member of the interface
  const timing = { escapeCodeTimeout: ESCAPE_MS } as unknown as Parameters<
    typeof emitKeypressEvents
  >[1]
  emitKeypressEvents(typed, timing)
  typed.on('keypress', onKey)
  input.on('data', onData)
  return {
    keyboard,
    open: () => {
      shownAt = performance.now()
    },
    hasDiscarded: () => hasDiscarded,
    press,
    close: () => {
      input.off('data', onData)
      keyboard.destroy()
    },
  }
}

type Meaning = 'interrupt' | 'escape' | 'end-of-input' | 'paste-start' | 'paste-end' | 'key'

/** The character of Ctrl-C. */
const INTERRUPT = '\u0003'

/** The character of Ctrl-D. */
const END_OF_INPUT = '\u0004'

/** Returns what a key means. An Esc directly before Ctrl-C or Ctrl-D is read together with it as a sequence without a name. */
function getMeaning({ name, sequence }: Key): Meaning {
  if (sequence?.endsWith(INTERRUPT)) return 'interrupt'
  if (sequence?.endsWith(END_OF_INPUT)) return 'end-of-input'
  return name === 'escape' || name === 'paste-start' || name === 'paste-end' ? name : 'key'
}

/** Whether a key or a pasted text is text, and no control character. */
export function isPrintable(text: string | undefined): text is string {
  return text !== undefined && text !== '' && !/\p{Cc}/u.test(text)
}

const CONTROLS = /\p{Cc}/gu

/**
 * Whether one read is a pasted text although the terminal does not mark pastes: text follows a line break. A person who presses Enter waits for what
 * happens. Other keys, such as arrows, are none of a pasted text.
 */
function isUnmarkedPaste(text: string): boolean {
  return /[\r\n][^\r\n]/.test(text) && !/[^\P{Cc}\r\n\t]/u.test(text)
}

/** A pasted text for a prompt of one line. */
function readPastedLine(text: string): string {
  return text
    .replaceAll(/[\r\n\t]+/g, ' ')
    .replaceAll(CONTROLS, '')
    .trimEnd()
}

/** A pasted text for a text, with its lines. */
function readPastedText(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{Cc}\n\t]/gu, '')
    .trimEnd()
    .replaceAll('\n', LINE_BREAK)
}

/** A pasted text for a prompt of several lines. A tab would go to the button that sends. */
function readPastedLines(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll('\t', '  ')
    .replaceAll(/[^\P{Cc}\n]/gu, '')
}
