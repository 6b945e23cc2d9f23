import type { TerminalText } from '@toolblocks/protocol'
import { stripVTControlCharacters, styleText } from 'node:util'
import { type PromptIo, type PromptState, type PromptText, clack, drawTyped } from './prompts.ts'
import { BAR, besideBar, joinWords, terminalText, wrapTyped, wrapWords } from './words.ts'

/** One of several choices. */
export interface PromptOption<Value> {
  value: Value
  label: TerminalText
  /** Shown beside the label while the option is selected. */
  hint?: TerminalText
  /** More words that choose it when they are typed. */
  typed?: readonly string[]
}

/** One row for two short choices, otherwise one row for each. */
export type ChoiceLayout = 'row' | 'list'

/** No option is selected: Enter alone answers nothing. */
export const NONE = -1

/** The choices of a prompt, as they are shown first. */
export interface Choices extends PromptText {
  /** `one`: Enter chooses the selected option. `several`: Space marks it, and Enter sends what is marked. */
  kind: 'one' | 'several'
  options: readonly PromptOption<unknown>[]
  layout: ChoiceLayout
  sentence: TerminalText | undefined
  /** The option that is selected first, or `NONE`. */
  at: number
  /** The options that are marked first. */
  chosen: readonly number[]
}

/** What is chosen and typed now. */
export interface ChoiceState {
  /** The selected option, or `NONE`. */
  at: number
  /** The marked options. */
  chosen: readonly number[]
  typed: string
}

/** Returns the choices that a text names: the one with exactly this name, otherwise all whose name begins with it, otherwise all whose name contains it. */
export function findMatches(
  typed: string,
  { options, sentence }: Pick<Choices, 'options' | 'sentence'>,
): number[] {
  const wanted = fold(typed)
  if (wanted === '') return []
  const names = options.map(({ label, hint, typed: more = [] }) =>
    [label, ...(hint === undefined ? [] : [hint]), ...more].map((name) =>
      fold(stripVTControlCharacters(name)),
    ),
  )
  const select = (matches: (name: string) => boolean): number[] =>
    names.flatMap((each, index) => (each.some((name) => matches(name)) ? [index] : []))
  const exact = select((name) => name === wanted)
  if (exact.length > 0) return exact
  const begun = select((name) => name.startsWith(wanted))
  // A single letter is a movement in other programs, and a sentence may contain the words of a choice.
  if (begun.length > 0 || wanted.length < 2 || sentence !== undefined) return begun
  return select((name) => name.includes(wanted))
}

function fold(text: string): string {
  return text.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase()
}

/** The choices that an ambiguous text names, at most. */
const MAX_NAMED = 3

/** Says why a typed text chooses nothing. */
export function describeMismatch(
  matched: readonly number[],
  { options }: Choices,
  { output }: PromptIo,
): string {
  const named = matched.slice(0, MAX_NAMED).flatMap((index) => options[index]?.label ?? [])
  const more = matched.length > MAX_NAMED ? [terminalText`…`] : []
  const notice =
    named.length === 0
      ? terminalText`This is no choice. Nothing was answered: type a part of a choice, or delete the text.`
      : terminalText`This matches several choices: ${joinWords([...named, ...more], ', ')}`
  return wrapWords([notice], output).join('\n')
}

/** Says why Enter answers nothing while nothing is selected. */
export function describeChoosing({ output }: PromptIo): string {
  const notice = terminalText`Nothing is selected. Nothing was answered: select a choice with the arrow keys, or type a part of it.`
  return wrapWords([notice], output).join('\n')
}

/** What is drawn: the library's state of the prompt, and the person's. */
interface DrawnChoices extends ChoiceState {
  state: PromptState
  /** Why Enter answered nothing. */
  notice: string
}

/** Draws a prompt with its choices, what is typed, and what Enter does. */
export function drawChoices(drawn: DrawnChoices, choices: Choices, io: PromptIo): string {
  const { label, details = [], problem, options } = choices
  const warned = problem === undefined ? [] : wrapWords([terminalText`▲ ${problem}`], io.output)
  const message = besideBar([
    ...wrapWords([label, ...details], io.output),
    ...warned.map((row) => styleText('yellow', row)),
  ])
  const head = [styleText('gray', clack.S_BAR), `${clack.symbol(drawn.state)}  ${message}`]
  switch (drawn.state) {
    case 'submit': {
      const bar = styleText('gray', clack.S_BAR)
      const rows = isSentence(drawn, choices)
        ? wrapTyped(drawTyped(drawn.typed), io.output)
        : wrapWords([getAnswer(drawn, choices)], io.output)
      return [...head, ...rows.map((row) => `${bar}  ${styleText('dim', row)}`)].join('\n')
    }
    case 'cancel':
      return [...head, styleText('gray', clack.S_BAR)].join('\n')
    case 'initial':
    case 'active':
    case 'validating':
    case 'error': {
      const color = drawn.state === 'error' ? 'yellow' : 'cyan'
      const bar = `${styleText(color, clack.S_BAR)}  `
      const foot = drawFoot(drawn, choices, io)
      const above = head.join('\n').split('\n').length
      const listed =
        choices.layout === 'row'
          ? [drawRow(drawn, options)]
          : clack.limitOptions({
              output: io.output,
              options: options.map((option, index) => ({ option, index })),
              cursor: Math.max(0, drawn.at),
              columnPadding: BAR,
              rowPadding: above + foot.length + 1,
              style: ({ option, index }, isSelected) =>
                drawOption(
                  option,
                  {
                    isSelected: isSelected && drawn.at !== NONE,
                    isMarked: drawn.chosen.includes(index),
                  },
                  choices,
                  io,
                ),
            })
      return [...head, ...listed.map((row) => `${bar}${row}`), ...foot, ''].join('\n')
    }
  }
}

function getAnswer({ at, chosen }: DrawnChoices, choices: Choices): TerminalText {
  const { kind, options } = choices
  if (kind === 'several') {
    const labels = chosen.flatMap((index) => options[index]?.label ?? [])
    return labels.length === 0 ? terminalText`none` : joinWords(labels, ', ')
  }
  return options[at]?.label ?? terminalText``
}

/** Whether the typed text is a sentence instead of a choice. Typed text is printable, which the reader of keys and `press` ensure. */
export function isSentence({ typed }: Pick<ChoiceState, 'typed'>, choices: Choices): boolean {
  return choices.kind === 'one' && typed.trim() !== '' && findMatches(typed, choices).length !== 1
}

/** Draws what is typed and why it answered nothing, or how to choose. */
function drawFoot(
  { state, notice, typed, at }: DrawnChoices,
  choices: Choices,
  io: PromptIo,
): string[] {
  const { kind, layout, options, sentence } = choices
  const color = state === 'error' ? 'yellow' : 'cyan'
  const bar = styleText(color, clack.S_BAR)
  const end = styleText(color, clack.S_BAR_END)
  const rows =
    typed === '' ? [] : wrapTyped(`${drawTyped(typed)}█`, io.output).map((row) => `${bar}  ${row}`)
  if (state === 'error') {
    const [first = '', ...others] = notice.split('\n').map((row) => styleText('yellow', row))
    return [...rows, `${end}  ${first}`, ...others.map((row) => `   ${row}`)]
  }
  if (typed.trim() !== '') {
    const matched = findMatches(typed, choices)
    const label = options[at]?.label ?? terminalText``
    const effect =
      kind === 'one' ? terminalText`Enter: ${label}` : terminalText`Enter marks: ${label}`
    const missed =
      sentence === undefined ? terminalText`no such choice` : terminalText`Enter: ${sentence}`
    const several = terminalText`several choices have this`
    const note = matched.length === 1 ? effect : matched.length > 1 ? several : missed
    const [first = '', ...others] = wrapWords([note], io.output).map((row) => styleText('dim', row))
    return [...rows, `${end}  ${first}`, ...others.map((row) => `   ${row}`)]
  }
  if (layout === 'row') return [...rows, end]
  const how = kind === 'one' ? clack.SELECT_INSTRUCTIONS : clack.MULTISELECT_INSTRUCTIONS
  return [...rows, ...clack.formatInstructionFooter(io.output, how, true)]
}

/** Draws two choices beside each other. */
function drawRow({ at }: DrawnChoices, options: Choices['options']): string {
  const drawn = options.map(({ label }, index) =>
    index === at
      ? `${styleText('green', clack.S_RADIO_ACTIVE)} ${label}`
      : `${styleText('dim', clack.S_RADIO_INACTIVE)} ${styleText('dim', label)}`,
  )
  return drawn.join(` ${styleText('dim', '/')} `)
}

/** Columns of the mark before an option. */
const MARK = 2

/** Draws an option whose further rows align with its first. */
function drawOption(
  { label, hint }: PromptOption<unknown>,
  { isSelected, isMarked }: { isSelected: boolean; isMarked: boolean },
  { kind }: Choices,
  { output }: PromptIo,
): string {
  const isHinted = isSelected && hint !== undefined
  const text = isHinted ? terminalText`${label} (${hint})` : label
  const rows = wrapWords([text], { columns: output.columns - MARK })
  const first = rows[0] ?? ''
  const styled = rows.map((row, index) => {
    if (!isSelected) return styleText('dim', row)
    if (!isHinted || index > 0 || rows.length > 1) return row
    return `${first.slice(0, label.length)}${styleText('dim', first.slice(label.length))}`
  })
  return `${drawMark(kind, { isSelected, isMarked })} ${styled.join(`\n${' '.repeat(MARK)}`)}`
}

function drawMark(
  kind: Choices['kind'],
  { isSelected, isMarked }: { isSelected: boolean; isMarked: boolean },
): string {
  if (kind === 'one')
    return isSelected
      ? styleText('green', clack.S_RADIO_ACTIVE)
      : styleText('dim', clack.S_RADIO_INACTIVE)
  if (isMarked) return styleText('green', clack.S_CHECKBOX_SELECTED)
  return isSelected
    ? styleText('cyan', clack.S_CHECKBOX_ACTIVE)
    : styleText('dim', clack.S_CHECKBOX_INACTIVE)
}
