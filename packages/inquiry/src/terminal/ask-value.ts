import { styleText } from 'node:util'
import { confirm, multiselect, password, select, S_BAR, text } from '@clack/prompts'
import type { JsonSchema, JsonValue } from '@toolblocks/protocol'
import { problemsOf } from '../questions/problems-of.ts'
import { ask, type Asked } from './ask.ts'
import type { Choice } from '../questions/read-choices.ts'
import { oneLine } from './one-line.ts'
import type { ValuePrompt } from './prompt-kind.ts'
import { readNumber } from './read-number.ts'
import type { Terminal } from './terminal.ts'

/** One value to ask for. */
export interface ValueQuestion {
  /** Written for the terminal already. */
  label: string
  /** Shown under the label, written for the terminal already. */
  details: readonly string[]
  prompt: ValuePrompt
  schema: JsonSchema
  /** Preselected. */
  current?: JsonValue
  need: 'required' | 'optional'
  display: 'plain' | 'masked'
  /** The label of the question before. */
  previous?: string
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
      await confirm({
        ...io,
        message: [question.label, ...question.details].join('\n'),
        initialValue: question.current === true,
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
    ...(question.need === 'optional' ? [{ value: LEFT_OUT, label: '(leave out)' }] : []),
    ...toOptions(choices, terminal),
  ]
  const current = choices.findIndex(({ value }) => value === question.current)
  const asked = await ask(terminal, {
    ...previousOf(question),
    show: async (io) =>
      await select({
        ...io,
        message: [question.label, ...question.details].join('\n'),
        options,
        initialValue: current,
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
  let problem: string | undefined
  for (;;) {
    const lines = [question.label, ...question.details]
    if (problem !== undefined) lines.push(styleText('yellow', `▲ ${problem}`))
    const asked = await ask(terminal, {
      ...previousOf(question),
      show: async (io) =>
        await multiselect({
          ...io,
          message: lines.join('\n'),
          options: toOptions(choices, terminal),
          initialValues: chosen,
          required: false,
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
  const validate = (typed: string | undefined): string | undefined => {
    if (question.need === 'optional' && !typed) return undefined
    const result = read(typed ?? '')
    return result.ok ? problemOf(result.value, { question, terminal }) : result.problem
  }
  const bar = styleText('gray', S_BAR)
  const details = question.details.map((line) => `\n${bar}  ${styleText('dim', line)}`)
  const message = `${question.label}${details.join('')}`
  const { current } = question
  const initial = typeof current === 'string' || typeof current === 'number' ? `${current}` : ''
  const asked = await ask(terminal, {
    ...previousOf(question),
    show: async (io) =>
      question.display === 'masked'
        ? await password({ ...io, message, validate })
        : await text({ ...io, message, validate, initialValue: initial }),
  })
  if (asked.kind !== 'value') return asked
  if (question.need === 'optional' && asked.value === '')
    return { kind: 'value', value: 'left out' }
  const result = read(asked.value)
  if (!result.ok) throw new TypeError(`a prompt let a wrong value through: ${result.problem}`)
  return given(result.value)
}

function previousOf({ previous }: ValueQuestion): { previous?: string } {
  return previous === undefined ? {} : { previous }
}

function given(value: JsonValue): Asked<Given> {
  return { kind: 'value', value: { value } }
}

/** The value itself stands beside a title, which could say anything. */
function toOptions(
  choices: readonly Choice[],
  { renderBlocks }: Terminal,
): { value: number; label: string; hint?: string }[] {
  return choices.map(({ value, title }, index) => {
    const label = oneLine(title, renderBlocks)
    const hint = oneLine(String(value), renderBlocks)
    return label.toLowerCase() === hint.toLowerCase()
      ? { value: index, label }
      : { value: index, label, hint }
  })
}

/** Of a secret nothing is repeated. */
function problemOf(
  value: JsonValue,
  { question, terminal }: { question: ValueQuestion; terminal: Terminal },
): string | undefined {
  const problems = problemsOf(value, question.schema)
  if (problems.length === 0) return undefined
  const reasons = problems.map(({ message, expected }) =>
    question.display === 'plain' ? message : `expected ${expected ?? 'something else'}`,
  )
  return oneLine(reasons.join('; '), terminal.renderBlocks)
}
