import type { Key } from 'node:readline'
import {
  type Choices,
  type ChoiceState,
  type ChoiceLayout,
  type PromptOption,
  NONE,
  describeChoosing,
  describeMismatch,
  drawChoices,
  findMatches,
  isSentence,
} from './draw-choices.ts'
import {
  CANCELLED,
  type Cancelled,
  type PromptIo,
  type PromptText,
  core,
  withLineBreaks,
} from './prompts.ts'
import { LINE_BREAK, isPrintable } from './read-keys.ts'
import { terminalText } from './words.ts'
import type { TerminalText } from '@toolblocks/protocol'

/** A prompt to choose one value. */
interface Choosing<Value> extends PromptText {
  options: readonly PromptOption<Value>[]
  /** The value that is selected first, so that Enter alone chooses it. Default: none. */
  initial?: Value | undefined
  layout?: ChoiceLayout
}

/** A prompt to choose several values. */
interface ChoosingSeveral extends PromptText {
  options: readonly PromptOption<number>[]
  initial: readonly number[]
}

/** A sentence that a person typed instead of a choice. */
export interface Sentence {
  sentence: string
}

/** Asks for one of several values. */
export async function promptOne<Value extends string | number>(
  io: PromptIo,
  choosing: Choosing<Value>,
): Promise<Value | Cancelled> {
  const chosen = await promptOneOrSentence(io, { ...choosing, sentence: undefined })
  return typeof chosen === 'object' ? CANCELLED : chosen
}

/** Asks for one of several values, or a sentence: typed text that matches no choice. `sentence` says what is done with it. */
export async function promptOneOrSentence<Value extends string | number>(
  io: PromptIo,
  choosing: Choosing<Value> & { sentence: TerminalText | undefined },
): Promise<Value | Sentence | Cancelled> {
  const { options, initial, layout = 'list', sentence, ...text } = choosing
  const chosen = await choose(io, {
    ...text,
    kind: 'one',
    options,
    layout,
    sentence,
    at: options.findIndex(({ value }) => value === initial),
    chosen: [],
  })
  if (typeof chosen === 'symbol') return chosen
  if ('sentence' in chosen) return chosen
  return options[chosen.at]?.value ?? CANCELLED
}

const YES_OR_NO: readonly PromptOption<'yes' | 'no'>[] = [
  { value: 'yes', label: terminalText`Yes` },
  { value: 'no', label: terminalText`No` },
]

/** Asks yes or no. */
export async function promptYesOrNo(
  io: PromptIo,
  { initial, ...text }: PromptText & { initial: boolean },
): Promise<boolean | Cancelled> {
  const chosen = await promptOne(io, {
    ...text,
    options: YES_OR_NO,
    initial: initial ? 'yes' : 'no',
    layout: 'row',
  })
  return typeof chosen === 'symbol' ? chosen : chosen === 'yes'
}

/** Asks for any of several values. */
export async function promptSeveral(
  io: PromptIo,
  { options, initial, ...text }: ChoosingSeveral,
): Promise<number[] | Cancelled> {
  const chosen = await choose(io, {
    ...text,
    kind: 'several',
    options,
    layout: 'list',
    sentence: undefined,
    at: 0,
    chosen: options.flatMap(({ value }, index) => (initial.includes(value) ? [index] : [])),
  })
  if (typeof chosen === 'symbol') return chosen
  if ('sentence' in chosen) return CANCELLED
  return chosen.chosen.flatMap((index) => options[index]?.value ?? [])
}

/** What is chosen and typed now. */
interface ChoicePromptState extends ChoiceState {
  /** The selected option before something was typed. */
  before: number
}

/**
 * Asks for a choice. Arrow keys select, typed words select the choice that they begin, and only Enter answers. Text that matches no choice answers
 * nothing. The library's own prompts answer on a letter, move on letters like arrows, or accept Enter whatever was typed.
 */
async function choose(io: PromptIo, choices: Choices): Promise<ChoiceState | Sentence | Cancelled> {
  const { kind, sentence } = choices
  let state: ChoicePromptState = {
    at: choices.at,
    before: choices.at,
    chosen: choices.chosen,
    typed: '',
  }
  let { problem } = choices
  const prompt = new core.Prompt<number>(
    {
      ...io,
      validate: () => {
        const matched = findMatches(state.typed, choices)
        const [only] = matched
        if (state.typed.trim() === '') return state.at === NONE ? describeChoosing(io) : undefined
        if (only === undefined || matched.length > 1)
          return sentence === undefined ? describeMismatch(matched, choices, io) : undefined
        if (kind === 'one') return undefined
        state = { ...mark({ ...state, at: only }), typed: '' }
        return 'Press Enter again to send.'
      },
      render() {
        return drawChoices(
          { state: this.state, notice: this.error, ...state },
          { ...choices, problem },
          io,
        )
      },
    },
    false,
  )
  prompt.on('key', (text, key) => {
    problem = undefined
    state = press(state, { text, key }, choices)
  })
  const left = await prompt.prompt()
  if (typeof left === 'symbol') return CANCELLED
  return isSentence(state, choices) ? { sentence: withLineBreaks(state.typed).trim() } : state
}

function press(
  state: ChoicePromptState,
  { text, key }: { text: string | undefined; key: Key },
  choices: Choices,
): ChoicePromptState {
  const { kind, options } = choices
  const move = (by: 1 | -1): ChoicePromptState => {
    const from = state.at === NONE && by === -1 ? 0 : state.at
    const index = (from + by + options.length) % options.length
    return { ...state, at: index, before: index, typed: '' }
  }
  switch (key.name) {
    case 'up':
    case 'left':
      return move(-1)
    case 'down':
    case 'right':
      return move(1)
    case 'backspace':
      return type(state, dropLast(state.typed), choices)
    case 'space':
      if (kind === 'several' && state.typed === '') return mark(state)
      break
    case 'u':
      if (key.ctrl) return type(state, '', choices)
      break
    case undefined:
    default:
      break
  }
  if (key.ctrl || key.meta || text === undefined) return state
  if (!isPrintable(text.replaceAll(LINE_BREAK, ' '))) return state
  return type(state, state.typed + text, choices)
}

/** Selects the only choice that the typed text matches; without one, the choice from before. */
function type(state: ChoicePromptState, typed: string, choices: Choices): ChoicePromptState {
  const before = state.typed === '' ? state.at : state.before
  const [only, ...others] = findMatches(typed, choices)
  const index = only === undefined || others.length > 0 ? before : only
  return { ...state, typed, before, at: index }
}

function mark(state: ChoicePromptState): ChoicePromptState {
  const isMarked = state.chosen.includes(state.at)
  const chosen = isMarked
    ? state.chosen.filter((index) => index !== state.at)
    : [...state.chosen, state.at]
  return { ...state, chosen: chosen.toSorted((one, other) => one - other) }
}

const graphemes = new Intl.Segmenter()

function dropLast(typed: string): string {
  const last = Array.from(graphemes.segment(typed)).at(-1)
  return last ? typed.slice(0, last.index) : ''
}
