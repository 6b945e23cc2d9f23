import type { JsonValue, TerminalText } from '@toolblocks/protocol'
import { ask, type Asked } from './ask.ts'
import { preType, preTypeLines } from '../prompts/pre-typed.ts'
import { promptLines, promptSecret, promptTyped } from '../prompts/prompts.ts'
import { words } from '../prompts/words.ts'
import type { QuestionTerminal } from '../question-terminal.ts'
import { given, problemOf, type Given, type ValueQuestion } from './value-question.ts'

/** Reads what was typed, or says why it cannot be read. */
export type Read = (
  typed: string,
) => { ok: true; value: JsonValue } | { ok: false; problem: string }

/** Asks for text, which is read into a value, until that fits. */
export async function askTyped(
  question: ValueQuestion,
  { terminal, read }: { terminal: QuestionTerminal; read: Read },
): Promise<Asked<Given>> {
  const { label, details } = question
  const validate = (typed: string): TerminalText | undefined => {
    if (question.need === 'optional' && typed === '') return undefined
    const result = read(typed)
    return result.ok
      ? problemOf(result.value, { question, terminal })
      : terminal.renderLine(result.problem)
  }
  const asked = await ask(terminal, {
    previous: question.previous,
    show: async (io) => {
      if (question.display === 'masked') return await promptSecret(io, { label, details, validate })
      const areLines = question.prompt.kind === 'lines'
      const filled = (areLines ? preTypeLines : preType)(question.current, terminal.renderLine)
      const how = areLines ? [words`one in a line; Tab and Enter to send`] : []
      const typing = {
        ...filled,
        label,
        details: [...details, ...how, ...filled.details],
        validate,
      }
      return areLines ? await promptLines(io, typing) : await promptTyped(io, typing)
    },
  })
  if (asked.kind !== 'value') return asked
  if (question.need === 'optional' && asked.value === '')
    return { kind: 'value', value: 'left out' }
  const result = read(asked.value)
  if (!result.ok) throw new TypeError(`a prompt let a wrong value through: ${result.problem}`)
  return given(result.value)
}

/** Each line is an item; empty ones are none. */
export function readLines(typed: string): string[] {
  return typed.split('\n').filter((line) => line !== '')
}
