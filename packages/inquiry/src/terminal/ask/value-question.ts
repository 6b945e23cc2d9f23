import type { JsonSchema, JsonValue, Problem, TerminalText } from '@toolblocks/protocol'
import { problemsOf } from '../../questions/problems-of.ts'
import type { Asked } from './ask.ts'
import type { ValuePrompt } from './prompt-kind.ts'
import type { QuestionTerminal } from '../question-terminal.ts'

/** One value to ask for. */
export interface ValueQuestion {
  label: TerminalText
  /** Shown under the label. */
  details: readonly TerminalText[]
  prompt: ValuePrompt
  schema: JsonSchema
  /** Preselected. */
  current?: JsonValue | undefined
  need: 'required' | 'optional'
  display: 'plain' | 'masked'
  /** The label of the question before. */
  previous?: TerminalText | undefined
}

/** The value, or that an optional one was left out. */
export type Given = { value: JsonValue } | 'left out'

/** A value as what came of a question. */
export function given(value: JsonValue): Asked<Given> {
  return { kind: 'value', value: { value } }
}

/** Why a value does not fit; of a secret nothing is repeated. */
export function problemOf(
  value: JsonValue,
  { question, terminal }: { question: ValueQuestion; terminal: QuestionTerminal },
): TerminalText | undefined {
  const problems = problemsOf(value, question.schema)
  if (problems.length === 0) return undefined
  const reasons = problems.map((problem) =>
    question.display === 'plain'
      ? `${placeOf(problem, value)}${problem.message}`
      : `expected ${problem.expected ?? 'something else'}`,
  )
  return terminal.renderLine(reasons.join('; '))
}

/** The item of a list that does not fit, as it was typed. */
function placeOf({ path }: Problem, value: JsonValue): string {
  const item = /^\/(\d+)$/.exec(path)?.[1]
  if (!Array.isArray(value) || item === undefined) return ''
  return `${JSON.stringify(value[Number(item)])}: `
}
