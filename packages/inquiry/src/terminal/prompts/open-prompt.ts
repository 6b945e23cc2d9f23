import type { Key } from 'node:readline'
import { PassThrough, type Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import type { CancelReason } from '@toolblocks/protocol'
import { CANCELLED, type Cancelled } from './prompts.ts'
import type { QuestionTerminal } from '../question-terminal.ts'

/** What a prompt needs of a terminal. */
export type Keyboard = Pick<QuestionTerminal, 'input' | 'output' | 'signal' | 'onInterrupt'>

/** What a prompt is opened with. */
export interface PromptIo {
  /** The keys, without the terminal behind them. */
  input: Readable
  output: NodeJS.WriteStream
  signal: AbortSignal
}

/** What came of one prompt. */
export type PromptEnd<Value> =
  | { kind: 'value'; value: Value }
  | { kind: 'escape' }
  | { kind: 'cancel'; reason: CancelReason }

const INTERRUPT = '\u0003'
const SHOW_CURSOR = '\u001B[?25h'
/** No key types them, but they can be pasted, and what is typed is echoed. */
const EIGHT_BIT_CONTROLS = /[\u0080-\u009F]/g

/**
 * Opens one prompt and tells its ends apart, which the library does not: Esc, Ctrl-C, the end of input (where the library
 * would wait for ever) and an abort. The terminal is as before in every case.
 */
export async function openPrompt<Value>(
  { input, output, signal, onInterrupt }: Keyboard,
  show: (io: PromptIo) => Promise<Value | Cancelled>,
): Promise<PromptEnd<Value>> {
  if (signal.aborted) return { kind: 'cancel', reason: 'aborted' }
  if (input.destroyed || input.readableEnded) return { kind: 'cancel', reason: 'end-of-input' }
  // The library never holds the terminal itself: when one hangs up, its readline would end the process.
  const keyboard = new PassThrough()
  const closing = new AbortController()
  let end: 'escape' | CancelReason | undefined
  let isDone = false
  const close = (reason: 'escape' | CancelReason): void => {
    end ??= reason
    // Later, so that the library is not closed while it handles the same key; by its own key, so that it draws the prompt as left.
    setImmediate(() => {
      if (!isDone) keyboard.write(INTERRUPT)
    })
    setImmediate(() => {
      if (!isDone) closing.abort()
    })
  }
  const onKey = (_text: string | undefined, key: Key): void => {
    if (key.ctrl && key.name === 'c' && end === undefined) {
      end = 'user'
      onInterrupt()
    }
    if (key.ctrl && key.name === 'd') close('end-of-input')
    if (key.name === 'escape') close('escape')
    // Hidden: the library would turn a No into a Yes on Esc, and stop the process with the terminal as it is on Ctrl-Z.
    if (key.name === 'escape' || (key.ctrl && key.name === 'z')) delete key.name
  }
  const decoder = new StringDecoder()
  const onData = (data: Buffer | string): void => {
    keyboard.write(decoder.write(data).replaceAll(EIGHT_BIT_CONTROLS, ''))
  }
  const onEnd = (): void => close('end-of-input')
  const onAbort = (): void => close('aborted')
  const restore = (): void => {
    input.setRawMode(false)
    output.write(SHOW_CURSOR)
  }

  keyboard.on('keypress', onKey)
  input.on('data', onData).on('end', onEnd).on('close', onEnd).on('error', onEnd)
  signal.addEventListener('abort', onAbort)
  process.once('exit', restore)
  try {
    input.setRawMode(true)
    input.resume()
    const value = await show({ input: keyboard, output, signal: closing.signal })
    if (value !== CANCELLED) return { kind: 'value', value }
    return end === 'escape' ? { kind: 'escape' } : { kind: 'cancel', reason: end ?? 'user' }
  } finally {
    isDone = true
    restore()
    input.pause()
    process.off('exit', restore)
    signal.removeEventListener('abort', onAbort)
    input.off('data', onData).off('end', onEnd).off('close', onEnd).off('error', onEnd)
    keyboard.destroy()
  }
}
