import { styleText } from 'node:util'
import { ConfirmPrompt, PasswordPrompt, TextPrompt, type State } from '@clack/core'
import {
  S_BAR,
  S_BAR_END,
  S_PASSWORD_MASK,
  S_RADIO_ACTIVE,
  S_RADIO_INACTIVE,
  symbol,
} from '@clack/prompts'
import type { PromptIo } from './open-prompt.ts'
import { wrapTyped } from './wrap-words.ts'

/** A line to type. The library's own prompt for it breaks a long line at the edge of the terminal, without its bar. */
export interface LinePrompt extends PromptIo {
  /** What stands over the line, ready to be drawn. */
  message: string
  initial?: string
  validate: (typed: string) => string | undefined
}

/** Asks for a line of text; the library's symbol stands for leaving it. */
export function promptLine(options: LinePrompt): Promise<string | symbol | undefined> {
  const { input, output, signal, initial = '', validate } = options
  return new TextPrompt({
    input,
    output,
    signal,
    initialValue: initial,
    validate: (typed) => validate(typed ?? ''),
    render() {
      // The cursor where nothing is typed, as the library draws it.
      const empty = styleText(['inverse', 'hidden'], '_')
      const current = this.userInput === '' ? empty : this.userInputWithCursor
      const typed = isOver(this.state) ? (this.value ?? '') : current
      return drawLine({ state: this.state, problem: this.error, typed }, options)
    },
  }).prompt()
}

/** Asks for a line that is not shown. */
export function promptMasked(options: LinePrompt): Promise<string | symbol | undefined> {
  const { input, output, signal, validate } = options
  return new PasswordPrompt({
    input,
    output,
    signal,
    mask: S_PASSWORD_MASK,
    validate: (typed) => validate(typed ?? ''),
    render() {
      const isTyping = this.state !== 'error' && !isOver(this.state)
      const typed = isTyping ? this.userInputWithCursor : this.masked
      return drawLine({ state: this.state, problem: this.error, typed }, options)
    },
  }).prompt()
}

/** Yes or no. */
export interface YesOrNoPrompt extends PromptIo {
  /** What stands over the choice, ready to be drawn. */
  message: string
  initial: boolean
}

/**
 * Asks yes or no; the library's symbol stands for leaving it. The library's own prompt leaves the choice behind, which could
 * be taken for an answer.
 */
export function promptChoice(options: YesOrNoPrompt): Promise<boolean | symbol | undefined> {
  const { input, output, signal, message, initial } = options
  return new ConfirmPrompt({
    input,
    output,
    signal,
    active: 'Yes',
    inactive: 'No',
    initialValue: initial,
    render() {
      const bar = styleText('gray', S_BAR)
      const head = [bar, `${symbol(this.state)}  ${message}`]
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
          const open = styleText('cyan', S_BAR)
          return [...head, `${open}  ${row}`, styleText('cyan', S_BAR_END), ''].join('\n')
        }
      }
    },
  }).prompt()
}

function drawChoice(label: string, isChosen: boolean): string {
  return isChosen
    ? `${styleText('green', S_RADIO_ACTIVE)} ${label}`
    : `${styleText('dim', S_RADIO_INACTIVE)} ${styleText('dim', label)}`
}

interface Drawn {
  state: State
  problem: string
  /** With the cursor, while there is one. */
  typed: string
}

const isOver = (state: State): boolean => state === 'submit' || state === 'cancel'

/** The look of the library's own prompts. */
function drawLine({ state, problem, typed }: Drawn, { message, output }: LinePrompt): string {
  const color = state === 'error' ? 'yellow' : isOver(state) ? 'gray' : 'cyan'
  const bar = styleText(color, S_BAR)
  const lines = wrapTyped(typed, output).map((row) => `${bar}  ${fade(row, state)}`)
  const head = [styleText('gray', S_BAR), `${symbol(state)}  ${message}`]
  const end = styleText(color, S_BAR_END)
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

function fade(row: string, state: State): string {
  if (row === '' || !isOver(state)) return row
  return styleText(state === 'cancel' ? ['strikethrough', 'dim'] : 'dim', row)
}
