import type { JsonSchema, JsonValue, TerminalText } from '@toolblocks/protocol'
import { problemsOf } from '../questions/problems-of.ts'
import { ask, type Asked } from './ask.ts'
import type { Choice } from '../questions/read-choices.ts'
import { preType } from './prompts/pre-typed.ts'
import type { ValuePrompt } from './prompt-kind.ts'
import {
  promptOne,
  promptSecret,
  promptSeveral,
  promptTyped,
  promptYesOrNo,
  type PromptOption,
} from './prompts/prompts.ts'
import { readNumber } from './read-number.ts'
import type { Terminal } from './terminal.ts'
import { words } from './prompts/words.ts'

/** One value to ask for. */
export interface ValueQuestion {
  label: TerminalText
  /** Shown under the label. */
  details: readonly TerminalText[]
  prompt: ValuePrompt
  schema: JsonSchema
  /** Preselected. */
  current?: JsonValue
  need: 'required' | 'optional'
  display: 'plain' | 'masked'
  /** The label of the question before. */
  previous?: TerminalText
}

/** The value, or that an optional one was left out. */
export type Given = { value: JsonValue } | 'left out'

/** Asks for one value until it fits its schema. */
export async function askValue(question: ValueQuestion, terminal: Terminal): Promise<Asked<Given>> {
  switch (question.prompt.kind) {
    case 'yes-no':
      return await askYesOrNo(question, terminal)
    case 'select':
      return await askOne(question, { terminal, choices: question.prompt.choices })
    case 'multi-select':
      return await askSeveral(question, { terminal, choices: question.prompt.choices })
    case 'text':
      return await askTyped(question, { terminal, read: (typed) => ({ ok: true, value: typed }) })
    case 'number':
      return await askTyped(question, { terminal, read: readNumber })
  }
}

async function askYesOrNo(question: ValueQuestion, terminal: Terminal): Promise<Asked<Given>> {
  if (question.need === 'optional' && question.current === undefined) {
    const choices = [
      { value: true, title: 'Yes' },
      { value: false, title: 'No' },
    ]
    return await askOne(question, { terminal, choices })
  }
  const asked = await ask(terminal, {
    ...previousOf(question),
    show: async (io) =>
      await promptYesOrNo(io, {
        label: question.label,
        details: question.details,
        initial: question.current === true,
      }),
  })
  return asked.kind === 'value' ? given(asked.value) : asked
}

const LEFT_OUT = -1

async function askOne(
  question: ValueQuestion,
  { terminal, choices }: { terminal: Terminal; choices: readonly Choice[] },
): Promise<Asked<Given>> {
  const options = [
    ...(question.need === 'optional' ? [{ value: LEFT_OUT, label: words`(leave out)` }] : []),
    ...toOptions(choices, terminal),
  ]
  const current = choices.findIndex(({ value }) => value === question.current)
  const asked = await ask(terminal, {
    ...previousOf(question),
    show: async (io) =>
      await promptOne(io, {
        label: question.label,
        details: question.details,
        options,
        initial: current,
      }),
  })
  if (asked.kind !== 'value') return asked
  const choice = choices[asked.value]
  return choice ? given(choice.value) : { kind: 'value', value: 'left out' }
}

async function askSeveral(
  question: ValueQuestion,
  { terminal, choices }: { terminal: Terminal; choices: readonly Choice[] },
): Promise<Asked<Given>> {
  const before: readonly JsonValue[] = Array.isArray(question.current) ? question.current : []
  let chosen = choices.flatMap(({ value }, index) => (before.includes(value) ? [index] : []))
  let problem: TerminalText | undefined
  for (;;) {
    const asked = await ask(terminal, {
      ...previousOf(question),
      show: async (io) =>
        await promptSeveral(io, {
          label: question.label,
          details: question.details,
          problem,
          options: toOptions(choices, terminal),
          initial: chosen,
        }),
    })
    if (asked.kind !== 'value') return asked
    chosen = asked.value.toSorted((one, other) => one - other)
    const value = chosen.flatMap((index) => choices[index]?.value ?? [])
    problem = problemOf(value, { question, terminal })
    if (problem === undefined) return given(value)
    if (question.need === 'optional' && value.length === 0)
      return { kind: 'value', value: 'left out' }
  }
}

type Read = (typed: string) => { ok: true; value: JsonValue } | { ok: false; problem: string }

async function askTyped(
  question: ValueQuestion,
  { terminal, read }: { terminal: Terminal; read: Read },
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
    ...previousOf(question),
    show: async (io) => {
      if (question.display === 'masked') return await promptSecret(io, { label, details, validate })
      const { details: told, ...filled } = preType(question.current, terminal.renderLine)
      return await promptTyped(io, { label, details: [...details, ...told], validate, ...filled })
    },
  })
  if (asked.kind !== 'value') return asked
  if (question.need === 'optional' && asked.value === '')
    return { kind: 'value', value: 'left out' }
  const result = read(asked.value)
  if (!result.ok) throw new TypeError(`a prompt let a wrong value through: ${result.problem}`)
  return given(result.value)
}

function previousOf({ previous }: ValueQuestion): { previous?: TerminalText } {
  return previous === undefined ? {} : { previous }
}

function given(value: JsonValue): Asked<Given> {
  return { kind: 'value', value: { value } }
}

/** The value itself stands beside a title, which could say anything. */
function toOptions(choices: readonly Choice[], { renderLine }: Terminal): PromptOption<number>[] {
  return choices.map(({ value, title }, index) => {
    const label = renderLine(title)
    const hint = renderLine(String(value))
    return label.toLowerCase() === hint.toLowerCase()
      ? { value: index, label }
      : { value: index, label, hint }
  })
}

/** Of a secret nothing is repeated. */
function problemOf(
  value: JsonValue,
  { question, terminal }: { question: ValueQuestion; terminal: Terminal },
): TerminalText | undefined {
  const problems = problemsOf(value, question.schema)
  if (problems.length === 0) return undefined
  const reasons = problems.map(({ message, expected }) =>
    question.display === 'plain' ? message : `expected ${expected ?? 'something else'}`,
  )
  return terminal.renderLine(reasons.join('; '))
}
