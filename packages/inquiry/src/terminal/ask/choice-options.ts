import type { TerminalText } from '@toolblocks/protocol'
import type { Choice } from '../../questions/read-choices.ts'
import type { PromptOption } from '../prompts/prompts.ts'
import { renderWhole } from '../prompts/render-whole.ts'
import { words } from '../prompts/words.ts'
import type { QuestionTerminal } from '../question-terminal.ts'

/** The value itself stands beside a title, which could say anything. */
export function toOptions(
  choices: readonly Choice[],
  { renderLine }: QuestionTerminal,
): PromptOption<number>[] {
  return choices.map(({ value, title }, index) => {
    const label = renderLine(title)
    const hint = renderLine(String(value))
    return label.toLowerCase() === hint.toLowerCase()
      ? { value: index, label }
      : { value: index, label, hint }
  })
}

/** The choices of which a list shows the beginning only, whole. */
export function longChoices(
  choices: readonly Choice[],
  { renderLine }: Pick<QuestionTerminal, 'renderLine'>,
): TerminalText[] {
  return choices.flatMap(({ value, title }) =>
    [...new Set([title, String(value)])].flatMap((text) => {
      const whole = renderWhole(text, renderLine)
      return whole === renderLine(text) ? [] : [words`○ ${whole}`]
    }),
  )
}
