import { styleText } from 'node:util'
import * as clack from '@clack/prompts'
import type { TerminalText } from '@toolblocks/protocol'
import type { PromptIo } from './open-prompt.ts'
import { joinWords, words } from './words.ts'

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

/** A value to choose, or several. */
export interface Choosing<Value, Initial> extends PromptText {
  options: readonly PromptOption<Value>[]
  initial?: Initial
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
  { initial, ...text }: PromptText & { initial: boolean },
): Promise<boolean | Cancelled> {
  return await clack.confirm({ ...io, message: linesOf(text), initialValue: initial })
}

/** One of several. */
export async function promptOne<Value extends string | number>(
  io: PromptIo,
  { options, initial, ...text }: Choosing<Value, Value>,
): Promise<Value | Cancelled> {
  const chosen = await clack.select<number>({
    ...io,
    message: linesOf(text),
    options: options.map((option, value) => ({ ...option, value })),
    initialValue: Math.max(
      0,
      options.findIndex(({ value }) => value === initial),
    ),
  })
  if (typeof chosen === 'symbol') return chosen
  return options[chosen]?.value ?? CANCELLED
}

/** Any of several. */
export async function promptSeveral(
  io: PromptIo,
  { options, initial = [], ...text }: Choosing<number, readonly number[]>,
): Promise<number[] | Cancelled> {
  return await clack.multiselect<number>({
    ...io,
    message: linesOf(text),
    options: options.map((option) => ({ ...option })),
    initialValues: initial,
    required: false,
  })
}

/** A line of text. */
export async function promptTyped(
  io: PromptIo,
  { initial, validate, ...text }: Typing,
): Promise<string | Cancelled> {
  return await clack.text({
    ...io,
    message: underBar(text),
    validate: (typed) => validate(typed ?? ''),
    initialValue: initial ?? '',
  })
}

/** A line of text that is not shown. */
export async function promptSecret(
  io: PromptIo,
  { validate, ...text }: Typing,
): Promise<string | Cancelled> {
  return await clack.password({
    ...io,
    message: underBar(text),
    validate: (typed) => validate(typed ?? ''),
  })
}

/** Lines between prompts. */
export const show = {
  begin: (text: TerminalText, output: NodeJS.WriteStream) => clack.intro(text, { output }),
  text: (lines: readonly TerminalText[], output: NodeJS.WriteStream) =>
    clack.log.message([...lines], { output }),
  warning: (text: TerminalText, output: NodeJS.WriteStream) => clack.log.warn(text, { output }),
  error: (text: TerminalText, output: NodeJS.WriteStream) => clack.log.error(text, { output }),
  end: (text: TerminalText, output: NodeJS.WriteStream) => clack.cancel(text, { output }),
} as const

function linesOf({ label, details = [], problem }: PromptText): string {
  const lines = joinWords([label, ...details], '\n')
  return problem === undefined ? lines : `${lines}\n${styleText('yellow', words`▲ ${problem}`)}`
}

/** Before a line to type at, the library draws no bar beside further lines. */
function underBar({ label, details = [] }: PromptText): string {
  const bar = styleText('gray', clack.S_BAR)
  return `${label}${details.map((line) => `\n${bar}  ${styleText('dim', line)}`).join('')}`
}
