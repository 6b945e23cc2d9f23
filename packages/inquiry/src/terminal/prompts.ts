import type * as Core from '@clack/core'
import type * as Clack from '@clack/prompts'
import { type TerminalText } from '@toolblocks/protocol'
import { describeMissingPeer } from '@toolblocks/protocol/internal'
import type { Readable } from 'node:stream'
import { styleText } from 'node:util'
import { LINE_BREAK } from './read-keys.ts'
import { besideBar, joinWords, wrapTyped, wrapWords } from './words.ts'

/** The only import of the prompt library, loaded so that a missing library gives an error that names it. Its types require text for the terminal. */
export const clack: typeof Clack = await import('@clack/prompts').catch(explainTo('@clack/prompts'))
export const core: typeof Core = await import('@clack/core').catch(explainTo('@clack/core'))

function explainTo(peer: string): (cause: unknown) => never {
  return (cause) => {
    throw describeMissingPeer(cause, { entry: '@toolblocks/inquiry/terminal', peer })
  }
}

/** The state of a prompt, in the words of the library. */
export type PromptState = Core.State

export type Cancelled = typeof Clack.CANCEL_SYMBOL

export const CANCELLED: Cancelled = clack.CANCEL_SYMBOL

/** The streams of a prompt. */
export interface PromptIo {
  /** Emits the keys that the prompt receives, without the terminal behind them. */
  input: Readable
  output: NodeJS.WriteStream
  signal: AbortSignal
}

/** The text above the input. */
export interface PromptText {
  label: TerminalText
  details?: readonly TerminalText[]
  /** Why the last answer was invalid. */
  problem?: TerminalText | undefined
}

/** A prompt to type a value. */
interface TypedPrompt extends PromptText {
  /** Text that is already typed in. */
  initial?: TerminalText
  /** Returns the reason why the typed text is invalid. */
  validate: (typed: string) => TerminalText | undefined
}

/** A prompt for one line. The library's own prompt wraps a long line at the edge of the terminal, without its bar. */
interface LinePrompt extends PromptIo {
  /** The text above the line, ready to be drawn. */
  message: string
  initial?: string
  validate: (typed: string) => string | undefined
}

interface DrawnPrompt {
  state: PromptState
  problem: string
  /** The typed text, with the cursor while there is one. */
  typed: string
}

/** Asks for a line of text. */
export async function promptTyped(
  io: PromptIo,
  { initial, validate, ...text }: TypedPrompt,
): Promise<string | Cancelled> {
  const typed = await promptLine({
    ...io,
    message: underBar(text, io.output),
    validate: (line) => describeInvalid(validate(withLineBreaks(line)), io.output),
    initial: initial ?? '',
  })
  return getLine(typed)
}

/** Asks for a line of text. The library's symbol means that the person left the prompt. */
function promptLine(options: LinePrompt): Promise<string | symbol | undefined> {
  const { input, output, signal, initial = '', validate } = options
  return new core.TextPrompt({
    input,
    output,
    signal,
    initialValue: initial,
    validate: (typed) => validate(typed ?? ''),
    render() {
      // Draws the cursor of an empty line as the library does.
      const empty = styleText(['inverse', 'hidden'], '_')
      const current = this.userInput === '' ? empty : this.userInputWithCursor
      const typed = isOver(this.state) ? (this.value ?? '') : current
      return drawLine({ state: this.state, problem: this.error, typed }, options)
    },
  }).prompt()
}

/** Asks for several lines of text. Tab goes to the send button and back. */
export async function promptLines(
  io: PromptIo,
  { initial, validate, ...text }: TypedPrompt,
): Promise<string | Cancelled> {
  return await clack.multiline({
    ...io,
    showSubmit: true,
    message: underBar(text, io.output),
    validate: (typed) => describeInvalid(validate(typed ?? ''), io.output),
    initialValue: initial ?? '',
  })
}

/** Asks for a line of text that is not shown. */
export async function promptSecret(
  io: PromptIo,
  { validate, ...text }: TypedPrompt,
): Promise<string | Cancelled> {
  const typed = await promptMasked({
    ...io,
    message: underBar(text, io.output),
    validate: (line) => describeInvalid(validate(withLineBreaks(line)), io.output),
  })
  return getLine(typed)
}

/** Asks for a line that is not shown. */
function promptMasked(options: LinePrompt): Promise<string | symbol | undefined> {
  const { input, output, signal, validate } = options
  return new core.PasswordPrompt({
    input,
    output,
    signal,
    mask: clack.S_PASSWORD_MASK,
    validate: (typed) => validate(typed ?? ''),
    render() {
      const isTyping = this.state !== 'error' && !isOver(this.state)
      const typed = isTyping ? this.userInputWithCursor : this.masked
      return drawLine({ state: this.state, problem: this.error, typed }, options)
    },
  }).prompt()
}

/** The library returns nothing for an empty line. */
function getLine(typed: string | symbol | undefined): string | Cancelled {
  return typeof typed === 'symbol' ? CANCELLED : withLineBreaks(typed ?? '')
}

/** Returns typed text with the line breaks that were pasted. */
export function withLineBreaks(typed: string): string {
  return typed.replaceAll(LINE_BREAK, '\n')
}

/** Returns typed text as it is drawn: its lines below each other, each with a mark of its end. */
export function drawTyped(typed: string): string {
  return typed.replaceAll('\t', '  ').replaceAll(LINE_BREAK, '⏎\n')
}

/** Draws a line like the library's own prompts. */
function drawLine({ state, problem, typed }: DrawnPrompt, { message, output }: LinePrompt): string {
  const color = state === 'error' ? 'yellow' : isOver(state) ? 'gray' : 'cyan'
  const bar = styleText(color, clack.S_BAR)
  const lines = wrapTyped(drawTyped(typed), output).map((row) => `${bar}  ${fade(row, state)}`)
  const head = [styleText('gray', clack.S_BAR), `${clack.symbol(state)}  ${message}`]
  const end = styleText(color, clack.S_BAR_END)
  switch (state) {
    case 'submit':
      return [...head, ...lines].join('\n')
    case 'cancel':
      return [...head, ...lines, ...(typed === '' ? [] : [bar])].join('\n')
    case 'error':
      return [...head, ...lines, `${end}  ${styleText('yellow', problem)}`, ''].join('\n')
    case 'initial':
    case 'active':
    case 'validating':
      return [...head, ...lines, end, ''].join('\n')
  }
}

function fade(row: string, state: PromptState): string {
  if (row === '' || !isOver(state)) return row
  return styleText(state === 'cancel' ? ['strikethrough', 'dim'] : 'dim', row)
}

const isOver = (state: PromptState): boolean => state === 'submit' || state === 'cancel'

/** Prints lines between prompts. */
export const show = {
  begin: (text: TerminalText, output: NodeJS.WriteStream) =>
    clack.intro(besideBar(wrapWords([text], output)), { output }),
  text: (lines: readonly TerminalText[], output: NodeJS.WriteStream) =>
    clack.log.message([...wrapWords(lines, output)], { output }),
  warning: (text: TerminalText, output: NodeJS.WriteStream) =>
    clack.log.warn(joinWords(wrapWords([text], output), '\n'), { output }),
  error: (text: TerminalText, output: NodeJS.WriteStream) =>
    clack.log.error(joinWords(wrapWords([text], output), '\n'), { output }),
  end: (text: TerminalText, output: NodeJS.WriteStream) =>
    clack.cancel(belowEnd(text, output), { output }),
} as const

/** Before an input line, the library draws no bar beside further lines. */
function underBar({ label, details = [] }: PromptText, output: NodeJS.WriteStream): string {
  const detailRows = wrapWords(details, output).map((row) => styleText('dim', row))
  return besideBar([...wrapWords([label], output), ...detailRows])
}

/** Wraps a problem; its further rows align with its first. */
function describeInvalid(
  problem: TerminalText | undefined,
  output: NodeJS.WriteStream,
): string | undefined {
  return problem === undefined ? undefined : belowEnd(problem, output)
}

/** Wraps a text at the end of the bar: its further rows align with its first. */
function belowEnd(text: TerminalText, output: NodeJS.WriteStream): string {
  return wrapWords([text], output).join('\n   ')
}
