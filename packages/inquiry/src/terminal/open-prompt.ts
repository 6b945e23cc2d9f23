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

/** Where one question is asked, and how what comes from outside is written there. */
export interface QuestionTerminal {
  input: TerminalInput
  output: NodeJS.WriteStream
  renderBlocks: RenderBlocks
  renderLine: RenderTerminalLine
  /** Told of Ctrl-C, which is no signal while keys are read one by one. */
  onInterrupt: () => void
  /** Closes whatever prompt is open. */
  signal: AbortSignal
  /** `beyond`: what belongs to the question is more than the screen, so that no yes is preselected. */
  view: 'whole' | 'beyond'
}

/** What a prompt needs of a terminal. */
export type Keyboard = Pick<QuestionTerminal, 'input' | 'output' | 'signal' | 'onInterrupt'>

/** What came of a prompt whose Esc menu was gone through. */
export type Asked<Value> =
  | { kind: 'value'; value: Value }
  | { kind: 'back' }
  | { kind: 'end'; answer: Answer }

/** A prompt, and what Esc can go back to beside the prompt itself. */
export interface Prompt<Value> {
  show: (io: PromptIo) => Promise<Value | Cancelled>
  /** The label of what was asked before. */
  previous?: TerminalText | undefined
}

/** Shows a prompt. Esc opens a menu: back, decline, cancel; Esc there, or back to the question, shows the prompt again. */
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
        label: words`What instead?`,
        options: [
          { value: 'resume', label: words`Back to the question` },
          ...(previous === undefined ? [] : [{ value: 'back', label: words`Back to ${previous}` }]),
          { value: 'decline', label: words`Decline`, hint: words`the answer is no answer` },
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

/** After these events nothing more is typed. */
const ENDS = ['end', 'close', 'error'] as const

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
): Promise<
  { kind: 'value'; value: Value } | { kind: 'escape' } | { kind: 'cancel'; reason: CancelReason }
> {
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
 * The same terminal with a size to lay out for: pseudo-terminals that nobody gave one say they have no columns, and the library
 * of prompts would put one character in a line.
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
