import type { JsonValue, TerminalText } from '@toolblocks/protocol'
import { ask, type Asked } from './ask.ts'
import type { Choice } from '../../questions/read-choices.ts'
import { askTyped, readLines } from './ask-typed.ts'
import { longChoices, toOptions } from './choice-options.ts'
import {
  promptOne,
  type PromptOption,
  promptSeveral,
  promptYesOrNo,
  show,
} from '../prompts/prompts.ts'
import { readNumber } from './read-number.ts'
import type { QuestionTerminal } from '../question-terminal.ts'
import { words } from '../prompts/words.ts'
import { given, problemOf, type Given, type ValueQuestion } from './value-question.ts'

/** Asks for one value until it fits its schema. */
export async function askValue(
  asked: ValueQuestion,
  terminal: QuestionTerminal,
): Promise<Asked<Given>> {
  const question = tellFirst(asked, terminal)
  switch (question.prompt.kind) {
    case 'yes-no':
      return await askYesOrNo(question, terminal)
    case 'select':
      return await askOne(question, {
        terminal,
        values: question.prompt.choices.map(({ value }) => value),
        labels: toOptions(question.prompt.choices, terminal),
      })
    case 'multi-select':
      return await askSeveral(question, { terminal, choices: question.prompt.choices })
    case 'text':
      return await askTyped(question, { terminal, read: (typed) => ({ ok: true, value: typed }) })
    case 'number': {
      const { numbers } = question.prompt
      return await askTyped(question, { terminal, read: (typed) => readNumber(typed, numbers) })
    }
    case 'lines':
      return await askTyped(question, {
        terminal,
        read: (typed) => ({ ok: true, value: readLines(typed) }),
      })
  }
}

/** Longer lines would push the place to answer out of sight. */
const LONG = 200

/** Shows above the prompt what is too long to stand in it. */
function tellFirst(question: ValueQuestion, terminal: QuestionTerminal): ValueQuestion {
  const { prompt, details } = question
  const long = details.filter((line) => line.length > LONG)
  const choices = 'choices' in prompt ? longChoices(prompt.choices, terminal) : []
  if (long.length + choices.length === 0) return question
  show.text([...long, ...choices], terminal.output)
  return { ...question, details: details.filter((line) => line.length <= LONG) }
}

const YES_OR_NO = {
  values: [true, false],
  labels: [
    { value: 0, label: words`Yes` },
    { value: 1, label: words`No` },
  ],
}

async function askYesOrNo(
  question: ValueQuestion,
  terminal: QuestionTerminal,
): Promise<Asked<Given>> {
  // Nobody agrees by Enter to what stands beyond the screen.
  const isHidden = question.current === true && terminal.view === 'beyond'
  const current = isHidden ? undefined : question.current
  if (question.need === 'optional')
    return await askOne({ ...question, current }, { terminal, ...YES_OR_NO })
  const asked = await ask(terminal, {
    previous: question.previous,
    show: async (io) =>
      await promptYesOrNo(io, {
        label: question.label,
        details: question.details,
        initial: current === true,
      }),
  })
  return asked.kind === 'value' ? given(asked.value) : asked
}

const LEFT_OUT = -1

/** A list to choose from: each label's `value` is the place of what it stands for in `values`. */
interface OneOf {
  terminal: QuestionTerminal
  values: readonly JsonValue[]
  labels: readonly PromptOption<number>[]
}

async function askOne(
  question: ValueQuestion,
  { terminal, values, labels }: OneOf,
): Promise<Asked<Given>> {
  const options = [
    ...(question.need === 'optional' ? [{ value: LEFT_OUT, label: words`(leave out)` }] : []),
    ...labels,
  ]
  const current = values.findIndex((value) => value === question.current)
  const asked = await ask(terminal, {
    previous: question.previous,
    show: async (io) =>
      await promptOne(io, {
        label: question.label,
        details: question.details,
        options,
        initial: current,
      }),
  })
  if (asked.kind !== 'value') return asked
  const value = values[asked.value]
  return value === undefined ? { kind: 'value', value: 'left out' } : given(value)
}

async function askSeveral(
  question: ValueQuestion,
  { terminal, choices }: { terminal: QuestionTerminal; choices: readonly Choice[] },
): Promise<Asked<Given>> {
  const before: readonly JsonValue[] = Array.isArray(question.current) ? question.current : []
  let chosen = choices.flatMap(({ value }, index) => (before.includes(value) ? [index] : []))
  let problem: TerminalText | undefined
  for (;;) {
    const asked = await ask(terminal, {
      previous: question.previous,
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
