import type {
  Answer,
  CancelReason,
  RenderBlocks,
  RenderTerminalLine,
  TerminalText,
} from '@toolblocks/protocol'
import type { Key } from 'node:readline'
import { PassThrough } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { CANCELLED, type Cancelled, type PromptIo, promptOne } from './prompts.ts'
import type { TerminalInput, TerminalOutput } from './terminal-streams.ts'
import { words } from './words.ts'

/** The place where one question is asked, and the renderer for untrusted text. */
export interface QuestionTerminal {
  input: TerminalInput
  output: NodeJS.WriteStream
  renderBlocks: RenderBlocks
  renderLine: RenderTerminalLine
  /** Called on Ctrl-C, which raises no signal while keys are read one by one. */
  onInterrupt: () => void
  /** Closes the open prompt. */
  signal: AbortSignal
  /** `beyond`: the content does not fit on the screen, so yes is not preselected. */
  view: 'whole' | 'beyond'
}

/** The part of a terminal that a prompt needs. */
export type Keyboard = Pick<QuestionTerminal, 'input' | 'output' | 'signal' | 'onInterrupt'>

/** The result of a prompt, including its Esc menu. */
export type Asked<Value> =
  | { kind: 'value'; value: Value }
  | { kind: 'back' }
  | { kind: 'end'; answer: Answer }

/** A prompt, and the previous question that Esc can go back to. */
export interface Prompt<Value> {
  show: (io: PromptIo) => Promise<Value | Cancelled>
  /** The label of the previous question. */
  previous?: TerminalText | undefined
}

/** Shows a prompt. Esc opens a menu: back, decline, cancel. Esc in the menu shows the prompt again. */
export async function ask<Value>(terminal: Keyboard, prompt: Prompt<Value>): Promise<Asked<Value>> {
  for (;;) {
    const outcome = await openPrompt(terminal, prompt.show)
    switch (outcome.kind) {
      case 'value':
        return outcome
      case 'cancel':
        return { kind: 'end', answer: { action: 'cancel', reason: outcome.reason } }
      case 'escape': {
        const left = await askWhatInstead(terminal, prompt.previous)
        if (left) return left
      }
    }
  }
}

async function askWhatInstead(
  terminal: Keyboard,
  previous: TerminalText | undefined,
): Promise<Asked<never> | undefined> {
  const outcome = await openPrompt(
    terminal,
    async (io) =>
      await promptOne(io, {
        label: words`What do you want to do?`,
        options: [
          { value: 'resume', label: words`Back to the question` },
          ...(previous === undefined ? [] : [{ value: 'back', label: words`Back to ${previous}` }]),
          { value: 'decline', label: words`Decline`, hint: words`continue without an answer` },
          { value: 'cancel', label: words`Cancel`, hint: words`stop asking` },
        ],
      }),
  )
  if (outcome.kind === 'cancel')
    return { kind: 'end', answer: { action: 'cancel', reason: outcome.reason } }
  if (outcome.kind === 'escape') return undefined
  switch (outcome.value) {
    case 'back':
      return { kind: 'back' }
    case 'decline':
      return { kind: 'end', answer: { action: 'decline' } }
    case 'cancel':
      return { kind: 'end', answer: { action: 'cancel', reason: 'user' } }
    default:
      return undefined
  }
}

const INTERRUPT = '\u0003'

/** After these events there is no more input. */
const ENDS = ['end', 'close', 'error'] as const

const SHOW_CURSOR = '\u001B[?25h'

/** No key produces them, but they can be pasted, and input is echoed. */
const EIGHT_BIT_CONTROLS = /[\u0080-\u009F]/g

/**
 * Opens one prompt and distinguishes how it ends, which the library does not: Esc, Ctrl-C, the end of input (for which the library would wait
 * forever), and an abort. The terminal is always restored.
 */
export async function openPrompt<Value>(
  { input, output, signal, onInterrupt }: Keyboard,
  show: (io: PromptIo) => Promise<Value | Cancelled>,
): Promise<
  { kind: 'value'; value: Value } | { kind: 'escape' } | { kind: 'cancel'; reason: CancelReason }
> {
  if (signal.aborted) return { kind: 'cancel', reason: 'aborted' }
  if (input.destroyed || input.readableEnded) return { kind: 'cancel', reason: 'end-of-input' }
  // The library never holds the terminal itself. When a terminal hangs up, the library's readline would end the process.
  const keyboard = new PassThrough()
  const closing = new AbortController()
  let end: 'escape' | CancelReason | undefined
  let isDone = false
  const close = (reason: 'escape' | CancelReason): void => {
    end ??= reason
    // Deferred, so that the library is not closed while it handles the same key. The library's own key makes it draw the prompt as left.
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
    // Hidden from the library: on Esc it would turn a No into a Yes, and on Ctrl-Z it would stop the process without restoring the terminal.
    if (key.name === 'escape' || (key.ctrl && key.name === 'z')) delete key.name
  }
  const decoder = new StringDecoder()
  const onData = (data: Uint8Array | string): void => {
    keyboard.write(decoder.write(data).replaceAll(EIGHT_BIT_CONTROLS, ''))
  }
  const onEnd = (): void => close('end-of-input')
  const onAbort = (): void => close('aborted')
  const restore = (): void => {
    input.setRawMode(false)
    output.write(SHOW_CURSOR)
  }

  keyboard.on('keypress', onKey)
  input.on('data', onData)
  for (const event of ENDS) input.on(event, onEnd)
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
    input.off('data', onData)
    for (const event of ENDS) input.off(event, onEnd)
    keyboard.destroy()
  }
}

const COLUMNS = 80

const ROWS = 24

/**
 * Returns the same terminal with a usable size. A pseudo-terminal without a size reports no columns, and the prompt library would put one character
 * in each line.
 */
export function sizedOutput(output: TerminalOutput): NodeJS.WriteStream {
  const sized = new Proxy(output, {
    get(target, key) {
      if (key === 'columns') return target.columns || COLUMNS
      if (key === 'rows') return target.rows || ROWS
      const value: unknown = Reflect.get(target, key, target)
      // oxlint-disable-next-line typescript/no-unsafe-return -- whatever the terminal has
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its users, the library of prompts too, read only the members of `TerminalOutput`
  return sized as NodeJS.WriteStream
}
