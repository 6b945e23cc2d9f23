import type * as Core from '@clack/core'
import type * as Clack from '@clack/prompts'
import { type TerminalText } from '@toolblocks/protocol'
import { describeMissingPeer } from '@toolblocks/protocol/text'
import type { Readable } from 'node:stream'
import { styleText } from 'node:util'
import { BAR, joinWords, words, wrapTyped, wrapWords } from './words.ts'

/** The only import of the prompt library, loaded so that a missing library gives an error that names it. Its types require text for the terminal. */
const clack: typeof Clack = await import('@clack/prompts').catch(explainTo('@clack/prompts'))
const core: typeof Core = await import('@clack/core').catch(explainTo('@clack/core'))

function explainTo(peer: string): (cause: unknown) => never {
  return (cause) => {
    throw describeMissingPeer(cause, { entry: '@toolblocks/inquiry/terminal', peer })
  }
}

export type Cancelled = typeof Clack.CANCEL_SYMBOL

export const CANCELLED: Cancelled = clack.CANCEL_SYMBOL

/** The streams of a prompt. */
export interface PromptIo {
  /** The keys, without the terminal behind them. */
  input: Readable
  output: NodeJS.WriteStream
  signal: AbortSignal
}

/** The text above the input. */
interface PromptText {
  label: TerminalText
  details?: readonly TerminalText[]
  /** Why the last answer was invalid. */
  problem?: TerminalText | undefined
}

/** One of several choices. */
export interface PromptOption<Value> {
  value: Value
  label: TerminalText
  /** Shown beside the label while the option is selected. */
  hint?: TerminalText
}

/** A prompt to choose one value. */
interface Choosing<Value> extends PromptText {
  options: readonly PromptOption<Value>[]
  initial?: Value
}

/** A prompt to choose several values. */
interface ChoosingSeveral extends PromptText {
  options: readonly PromptOption<number>[]
  initial: readonly number[]
}

/** A prompt to type a value. */
interface Typing extends PromptText {
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

interface Drawn {
  state: Core.State
  problem: string
  /** The typed text, with the cursor while there is one. */
  typed: string
}

/** Asks yes or no. */
export async function promptYesOrNo(
  io: PromptIo,
  { initial, label, details = [], problem }: PromptText & { initial: boolean },
): Promise<boolean | Cancelled> {
  const warned = problem === undefined ? [] : wrapWords([words`▲ ${problem}`], io.output)
  const rows = [
    ...wrapWords([label, ...details], io.output),
    ...warned.map((row) => styleText('yellow', row)),
  ]
  const message = besideBar(rows)
  const chosen = await promptChoice({ ...io, message, initial })
  return typeof chosen === 'symbol' ? CANCELLED : chosen === true
}

/** A prompt for yes or no. */
interface YesOrNoPrompt extends PromptIo {
  /** The text above the choice, ready to be drawn. */
  message: string
  initial: boolean
}

/**
 * Asks yes or no. The library's symbol means that the person left the prompt. The library's own prompt keeps the choice visible, which could look
 * like an answer.
 */
function promptChoice(options: YesOrNoPrompt): Promise<boolean | symbol | undefined> {
  const { input, output, signal, message, initial } = options
  return new core.ConfirmPrompt({
    input,
    output,
    signal,
    active: 'Yes',
    inactive: 'No',
    initialValue: initial,
    render() {
      const bar = styleText('gray', clack.S_BAR)
      const head = [bar, `${clack.symbol(this.state)}  ${message}`]
      switch (this.state) {
        case 'submit':
          return [...head, `${bar}  ${styleText('dim', this.value ? 'Yes' : 'No')}`].join('\n')
        case 'cancel':
          return [...head, bar].join('\n')
        case 'initial':
        case 'active':
        case 'validating':
        case 'error': {
          const choices = [drawChoice('Yes', this.value === true), drawChoice('No', !this.value)]
          const row = choices.join(` ${styleText('dim', '/')} `)
          const open = styleText('cyan', clack.S_BAR)
          return [...head, `${open}  ${row}`, styleText('cyan', clack.S_BAR_END), ''].join('\n')
        }
      }
    },
  }).prompt()
}

function drawChoice(label: string, isChosen: boolean): string {
  return isChosen
    ? `${styleText('green', clack.S_RADIO_ACTIVE)} ${label}`
    : `${styleText('dim', clack.S_RADIO_INACTIVE)} ${styleText('dim', label)}`
}

/** Asks for one of several values. */
export async function promptOne<Value extends string | number>(
  io: PromptIo,
  { options, initial, ...text }: Choosing<Value>,
): Promise<Value | Cancelled> {
  const isLeft = watchLeaving(io)
  const chosen = await clack.select<number>({
    ...io,
    message: getLines(text),
    options: options.map((option, value) => {
      const { label, hint } = hangOption(option, io.output)
      return {
        value,
        // The preselected value is not an answer of a person who leaves.
        get label() {
          return isLeft() ? '' : label
        },
        ...(hint !== undefined && { hint }),
      }
    }),
    initialValue: Math.max(
      0,
      options.findIndex(({ value }) => value === initial),
    ),
  })
  if (typeof chosen === 'symbol') return chosen
  return options[chosen]?.value ?? CANCELLED
}

/** Whether a prompt is being left, known before the library draws it. */
function watchLeaving({ input }: Pick<PromptIo, 'input'>): () => boolean {
  let isLeft = false
  // Every way to leave ends with this key.
  input.on('keypress', (_text: unknown, key: { ctrl?: boolean; name?: string } = {}) => {
    isLeft ||= key.ctrl === true && key.name === 'c'
  })
  return () => isLeft
}

/** An option whose further rows align with its first. A hint that does not fit in that row becomes part of the label. */
function hangOption<Value>(
  { value, label, hint }: PromptOption<Value>,
  { columns }: NodeJS.WriteStream,
): { value: Value; label: string; hint?: string } {
  // The library counts the colour codes of its bar as columns, and wraps longer rows by itself.
  const bar = styleText('cyan', clack.S_BAR).length + BAR - 1
  const sized = { columns: columns - bar - MARK + BAR }
  const whole = hint === undefined ? label : words`${label} (${hint})`
  const rows = wrapWords([whole], sized)
  if (rows.length === 1) return { value, label, ...(hint !== undefined && { hint }) }
  return { value, label: rows.join(`\n${' '.repeat(MARK)}`) }
}

/** Columns of the mark before an option. */
const MARK = 2

/** Asks for any of several values. */
export async function promptSeveral(
  io: PromptIo,
  { options, initial, ...text }: ChoosingSeveral,
): Promise<number[] | Cancelled> {
  let isAnswered = false
  // Runs before the library sees the key, so that its next drawing is without the problem.
  io.input.once('keypress', () => {
    isAnswered = true
  })
  return await clack.multiselect<number>({
    ...io,
    get message() {
      return getLines(isAnswered ? { ...text, problem: undefined } : text)
    },
    options: options.map((option) => hangOption(option, io.output)),
    initialValues: initial,
    required: false,
  })
}

/** Asks for a line of text. */
export async function promptTyped(
  io: PromptIo,
  { initial, validate, ...text }: Typing,
): Promise<string | Cancelled> {
  const typed = await promptLine({
    ...io,
    message: underBar(text, io.output),
    validate: (line) => beside(validate(line), io.output),
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
  { initial, validate, ...text }: Typing,
): Promise<string | Cancelled> {
  return await clack.multiline({
    ...io,
    showSubmit: true,
    message: underBar(text, io.output),
    validate: (typed) => beside(validate(typed ?? ''), io.output),
    initialValue: initial ?? '',
  })
}

/** Asks for a line of text that is not shown. */
export async function promptSecret(
  io: PromptIo,
  { validate, ...text }: Typing,
): Promise<string | Cancelled> {
  const typed = await promptMasked({
    ...io,
    message: underBar(text, io.output),
    validate: (line) => beside(validate(line), io.output),
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
  return typeof typed === 'symbol' ? CANCELLED : (typed ?? '')
}

/** Draws a line like the library's own prompts. */
function drawLine({ state, problem, typed }: Drawn, { message, output }: LinePrompt): string {
  const color = state === 'error' ? 'yellow' : isOver(state) ? 'gray' : 'cyan'
  const bar = styleText(color, clack.S_BAR)
  const lines = wrapTyped(typed, output).map((row) => `${bar}  ${fade(row, state)}`)
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

function fade(row: string, state: Core.State): string {
  if (row === '' || !isOver(state)) return row
  return styleText(state === 'cancel' ? ['strikethrough', 'dim'] : 'dim', row)
}

const isOver = (state: Core.State): boolean => state === 'submit' || state === 'cancel'

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
  end: (text: TerminalText, output: NodeJS.WriteStream) => clack.cancel(text, { output }),
} as const

function getLines({ label, details = [], problem }: PromptText): string {
  const lines = joinWords([label, ...details], '\n')
  return problem === undefined ? lines : `${lines}\n${styleText('yellow', words`▲ ${problem}`)}`
}

/** Before an input line, the library draws no bar beside further lines. */
function underBar({ label, details = [] }: PromptText, output: NodeJS.WriteStream): string {
  const told = wrapWords(details, output).map((row) => styleText('dim', row))
  return besideBar([...wrapWords([label], output), ...told])
}

function besideBar(rows: readonly string[]): string {
  return rows.join(`\n${styleText('gray', clack.S_BAR)}  `)
}

/** A problem whose further rows align with its first. */
function beside(problem: TerminalText | undefined, output: NodeJS.WriteStream): string | undefined {
  return problem === undefined ? undefined : wrapWords([problem], output).join('\n   ')
}
