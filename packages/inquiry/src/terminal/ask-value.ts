import type { JsonSchema, JsonValue, RenderTerminalLine, TerminalText } from '@toolblocks/protocol'
import type { ValuePrompt } from '../form/prompt-kind.ts'
import { describeProblem, readLines, readNumber } from '../form/question-form.ts'
import { getProblems } from '../questions/find-problems.ts'
import type { Choice } from '../questions/read-choices.ts'
import type { PastedLineBreaks } from './read-keys.ts'
import { type PromptAnswer, type QuestionTerminal, ask } from './open-prompt.ts'
import { promptOne, promptSeveral, promptYesOrNo } from './choice-prompt.ts'
import type { PromptOption } from './draw-choices.ts'
import { promptLines, promptSecret, promptTyped, show } from './prompts.ts'
import { joinWords, renderWhole, terminalText } from './words.ts'

/** A question for one value. */
interface ValueQuestion {
  label: TerminalText
  /** Lines under the label. */
  details: readonly TerminalText[]
  prompt: ValuePrompt
  schema: JsonSchema
  /** The preselected value. */
  current?: JsonValue | undefined
  need: 'required' | 'optional'
  display: 'plain' | 'masked'
  /** The label of the previous question. */
  previous?: TerminalText | undefined
}

/** The value, or that an optional one was omitted. */
export type FieldAnswer = { value: JsonValue } | 'omitted'

/** Asks for one value until it matches its schema. */
export async function askValue(
  asked: ValueQuestion,
  terminal: QuestionTerminal,
): Promise<PromptAnswer<FieldAnswer>> {
  const question = printFirst(asked, terminal)
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

/** Longer lines would push the prompt off the screen. */
const LONG = 200

/** Shows above the prompt the parts that are too long for it. */
function printFirst(question: ValueQuestion, terminal: QuestionTerminal): ValueQuestion {
  const { prompt, details } = question
  const long = details.filter((line) => line.length > LONG)
  const choices = 'choices' in prompt ? longChoices(prompt.choices, terminal) : []
  if (long.length + choices.length === 0) return question
  show.text([...long, ...choices], terminal.output)
  return { ...question, details: details.filter((line) => line.length <= LONG) }
}

/** Returns in full the choices that a list shows only in part. */
export function longChoices(
  choices: readonly Choice[],
  { renderLine }: Pick<QuestionTerminal, 'renderLine'>,
): TerminalText[] {
  return choices.flatMap(({ value, title }) =>
    [...new Set([title, String(value)])].flatMap((text) => {
      const whole = renderWhole(text, renderLine)
      return whole === renderLine(text) ? [] : [terminalText`○ ${whole}`]
    }),
  )
}

const YES_OR_NO = {
  values: [true, false],
  labels: [
    { value: 0, label: terminalText`Yes` },
    { value: 1, label: terminalText`No` },
  ],
}

async function askYesOrNo(
  question: ValueQuestion,
  terminal: QuestionTerminal,
): Promise<PromptAnswer<FieldAnswer>> {
  if (question.need === 'optional') return await askOne(question, { terminal, ...YES_OR_NO })
  const current = getPreselected(question, terminal)
  const asked = await ask(terminal, {
    previous: question.previous,
    show: async (io) =>
      await promptYesOrNo(io, {
        label: question.label,
        details: question.details,
        initial: current === true,
      }),
  })
  return asked.kind === 'value' ? toAsked(asked.value) : asked
}

/** Returns the value that Enter alone chooses. It must not agree to content that is not on the screen. */
function getPreselected(
  { current }: ValueQuestion,
  { view }: QuestionTerminal,
): JsonValue | undefined {
  return view === 'beyond' && current !== false ? undefined : current
}

const LEFT_OUT = -1

/** A list of choices. Each label's `value` is an index in `values`. */
interface OneOf {
  terminal: QuestionTerminal
  values: readonly JsonValue[]
  labels: readonly PromptOption<number>[]
}

async function askOne(
  question: ValueQuestion,
  { terminal, values, labels }: OneOf,
): Promise<PromptAnswer<FieldAnswer>> {
  const options = [
    ...(question.need === 'optional' ? [{ value: LEFT_OUT, label: terminalText`(omit)` }] : []),
    ...labels,
  ]
  const current = getPreselected(question, terminal)
  const initial = values.findIndex((value) => value === current)
  const asked = await ask(terminal, {
    previous: question.previous,
    show: async (io) =>
      await promptOne(io, {
        label: question.label,
        details: question.details,
        options,
        initial,
      }),
  })
  if (asked.kind !== 'value') return asked
  const value = values[asked.value]
  return value === undefined ? { kind: 'value', value: 'omitted' } : toAsked(value)
}

async function askSeveral(
  question: ValueQuestion,
  { terminal, choices }: { terminal: QuestionTerminal; choices: readonly Choice[] },
): Promise<PromptAnswer<FieldAnswer>> {
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
    problem = renderProblem(value, { question, terminal })
    if (problem === undefined) return toAsked(value)
    if (question.need === 'optional' && value.length === 0)
      return { kind: 'value', value: 'omitted' }
  }
}

/** The value is shown beside its title, because a title may be misleading. */
export function toOptions(
  choices: readonly Choice[],
  { renderLine }: QuestionTerminal,
): PromptOption<number>[] {
  return choices.map(({ value, title }, index) => {
    const label = renderLine(title)
    const hint = renderLine(String(value))
    const json = renderLine(JSON.stringify(value))
    const isSaid = [hint, json].some((line) => line.toLowerCase() === label.toLowerCase())
    return isSaid || label.endsWith(`(${json})`)
      ? { value: index, label }
      : { value: index, label, hint }
  })
}

/** Parses typed text, or returns the reason why it is invalid. */
type ReadTyped = (typed: string) => { ok: true; value: JsonValue } | { ok: false; problem: string }

const LINE_BREAKS: Readonly<Record<ValueQuestion['prompt']['kind'], PastedLineBreaks>> = {
  'yes-no': 'spaces',
  select: 'spaces',
  'multi-select': 'spaces',
  text: 'marked',
  number: 'spaces',
  lines: 'kept',
}

/** Asks for text and parses it, until the value is valid. */
async function askTyped(
  question: ValueQuestion,
  { terminal, read }: { terminal: QuestionTerminal; read: ReadTyped },
): Promise<PromptAnswer<FieldAnswer>> {
  const { label, details } = question
  const validate = (typed: string): TerminalText | undefined => {
    if (question.need === 'optional' && typed === '') return undefined
    const result = read(typed)
    return result.ok
      ? renderProblem(result.value, { question, terminal })
      : terminal.renderLine(result.problem)
  }
  const asked = await ask(terminal, {
    previous: question.previous,
    lineBreaks: LINE_BREAKS[question.prompt.kind],
    show: async (io) => {
      if (question.display === 'masked') return await promptSecret(io, { label, details, validate })
      const areLines = question.prompt.kind === 'lines'
      const filled = (areLines ? preTypeLines : preType)(question.current, terminal.renderLine)
      const how = areLines ? [terminalText`one per line; Tab and Enter to send`] : []
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
  if (question.need === 'optional' && asked.value === '') return { kind: 'value', value: 'omitted' }
  const result = read(asked.value)
  if (!result.ok) throw new TypeError(`a prompt accepted an invalid value: ${result.problem}`)
  return toAsked(result.value)
}

/** Text that is already typed in, or a line that describes it if the text would not be visible. */
interface PreTyped {
  initial?: TerminalText
  details: readonly TerminalText[]
}

/** Maximum length of text that is already typed in, in UTF-16 code units: a few screens. */
const MAX_LENGTH = 4000

/**
 * Types a default in if the visible text is exactly what is submitted. A default with control characters, line ends or invisible characters is
 * shown in a line above, and the input stays empty. Unchanged, it is never an answer.
 */
export function preType(current: JsonValue | undefined, renderLine: RenderTerminalLine): PreTyped {
  if (typeof current !== 'string' && typeof current !== 'number') return { details: [] }
  const text = String(current)
  if (text.length <= MAX_LENGTH) {
    const rendered = renderWhole(text, renderLine)
    if (rendered === text) return { initial: rendered, details: [] }
  }
  return {
    details: [
      terminalText`not filled in, because it cannot be shown unchanged: ${renderLine(text)}`,
    ],
  }
}

/** Types in the items of a list, one in each line, if every item can be typed. */
function preTypeLines(current: JsonValue | undefined, renderLine: RenderTerminalLine): PreTyped {
  const items = Array.isArray(current) ? current.map((item) => preType(item, renderLine)) : []
  const initial = items.flatMap((item) => item.initial ?? [])
  const details = items.flatMap((item) => item.details)
  return details.length > 0 ? { details } : { initial: joinWords(initial, '\n'), details }
}

/** Returns a value as the result of a question. */
function toAsked(value: JsonValue): PromptAnswer<FieldAnswer> {
  return { kind: 'value', value: { value } }
}

/** Describes why a value is invalid, without repeating a secret. */
function renderProblem(
  value: JsonValue,
  { question, terminal }: { question: ValueQuestion; terminal: QuestionTerminal },
): TerminalText | undefined {
  const problems = getProblems(value, question.schema)
  if (problems.length === 0) return undefined
  const reasons = problems.map((problem) =>
    question.display === 'plain'
      ? describeProblem(problem, value)
      : `expected ${problem.expected ?? 'something else'}`,
  )
  return terminal.renderLine(reasons.join('; '))
}
