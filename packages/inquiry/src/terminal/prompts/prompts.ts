import { styleText } from 'node:util'
import * as clack from '@clack/prompts'
import type { TerminalText } from '@toolblocks/protocol'
import { promptChoice, promptLine, promptMasked } from './line-prompts.ts'
import type { PromptIo } from './open-prompt.ts'
import { joinWords, words } from './words.ts'
import { BAR, wrapWords } from './wrap-words.ts'

/** The one door to the library of prompts: what it shows is text for the terminal, by type. */
export type Cancelled = typeof clack.CANCEL_SYMBOL
export const CANCELLED: Cancelled = clack.CANCEL_SYMBOL

/** What stands over the place to answer at. */
export interface PromptText {
  label: TerminalText
  details?: readonly TerminalText[]
  /** Why the last answer did not fit. */
  problem?: TerminalText | undefined
}

/** One of several to choose from. */
export interface PromptOption<Value> {
  value: Value
  label: TerminalText
  /** Stands beside the label while it is chosen. */
  hint?: TerminalText
}

/** A value to choose. */
export interface Choosing<Value> extends PromptText {
  options: readonly PromptOption<Value>[]
  initial?: Value
}

/** Values to choose. */
export interface ChoosingSeveral extends PromptText {
  options: readonly PromptOption<number>[]
  initial: readonly number[]
}

/** A value to type. */
export interface Typing extends PromptText {
  /** Typed in already. */
  initial?: TerminalText
  /** Why what is typed does not fit. */
  validate: (typed: string) => TerminalText | undefined
}

/** Yes or no. */
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

/** One of several. */
export async function promptOne<Value extends string | number>(
  io: PromptIo,
  { options, initial, ...text }: Choosing<Value>,
): Promise<Value | Cancelled> {
  const isLeft = watchLeaving(io)
  const chosen = await clack.select<number>({
    ...io,
    message: linesOf(text),
    options: options.map((option, value) => {
      const { label, hint } = hangOption(option, io.output)
      return {
        value,
        // What was preselected is no answer of whoever leaves.
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

/** Tells whether a prompt is being left, before the library draws it so. */
function watchLeaving({ input }: Pick<PromptIo, 'input'>): () => boolean {
  let isLeft = false
  // Every way to leave ends with this key.
  input.on('keypress', (_text: unknown, key: { ctrl?: boolean; name?: string } = {}) => {
    isLeft ||= key.ctrl === true && key.name === 'c'
  })
  return () => isLeft
}

/** Any of several. */
export async function promptSeveral(
  io: PromptIo,
  { options, initial, ...text }: ChoosingSeveral,
): Promise<number[] | Cancelled> {
  let isAnswered = false
  // Before the library sees the key, so that what it draws next is without the problem.
  io.input.once('keypress', () => {
    isAnswered = true
  })
  return await clack.multiselect<number>({
    ...io,
    get message() {
      return linesOf(isAnswered ? { ...text, problem: undefined } : text)
    },
    options: options.map((option) => hangOption(option, io.output)),
    initialValues: initial,
    required: false,
  })
}

/** A line of text. */
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
  return lineOf(typed)
}

/** Several lines of text; Tab goes to the place to send them, and back. */
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

/** A line of text that is not shown. */
export async function promptSecret(
  io: PromptIo,
  { validate, ...text }: Typing,
): Promise<string | Cancelled> {
  const typed = await promptMasked({
    ...io,
    message: underBar(text, io.output),
    validate: (line) => beside(validate(line), io.output),
  })
  return lineOf(typed)
}

/** The library gives nothing for an empty line. */
function lineOf(typed: string | symbol | undefined): string | Cancelled {
  return typeof typed === 'symbol' ? CANCELLED : (typed ?? '')
}

/** Lines between prompts. */
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

/** Columns of the mark before an option. */
const MARK = 2

/** An option whose further rows stand under its first; a hint that has no room in that row is part of the label. */
function hangOption<Value>(
  { value, label, hint }: PromptOption<Value>,
  { columns }: NodeJS.WriteStream,
): { value: Value; label: string; hint?: string } {
  // The library takes the colour codes of its bar for columns, and breaks longer rows by itself.
  const bar = styleText('cyan', clack.S_BAR).length + BAR - 1
  const sized = { columns: columns - bar - MARK + BAR }
  const whole = hint === undefined ? label : words`${label} (${hint})`
  const rows = wrapWords([whole], sized)
  if (rows.length === 1) return { value, label, ...(hint !== undefined && { hint }) }
  return { value, label: rows.join(`\n${' '.repeat(MARK)}`) }
}

function linesOf({ label, details = [], problem }: PromptText): string {
  const lines = joinWords([label, ...details], '\n')
  return problem === undefined ? lines : `${lines}\n${styleText('yellow', words`▲ ${problem}`)}`
}

/** Before a line to type at, the library draws no bar beside further lines. */
function underBar({ label, details = [] }: PromptText, output: NodeJS.WriteStream): string {
  const told = wrapWords(details, output).map((row) => styleText('dim', row))
  return besideBar([...wrapWords([label], output), ...told])
}

function besideBar(rows: readonly string[]): string {
  return rows.join(`\n${styleText('gray', clack.S_BAR)}  `)
}

/** A problem, whose further rows stand under its first. */
function beside(problem: TerminalText | undefined, output: NodeJS.WriteStream): string | undefined {
  return problem === undefined ? undefined : wrapWords([problem], output).join('\n   ')
}
