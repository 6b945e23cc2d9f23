import {
  type AnswerQuestion,
  type InputRequest,
  type Tool,
  type ToolCall,
  type ToolResult,
  isJsonObject,
  isQuestionContent,
  parseJson,
} from '@toolblocks/protocol'
import { locateArguments } from '@toolblocks/tool-executor'
import { type ReadAnswer, readAnswer } from '../../../terminal/typed/read-answer.ts'

/** The name of the one handle of a command. */
const HANDLE = 'call'

/** A call that stays alive, as the command drives it. */
export interface LiveUse {
  start(): Promise<ToolResult>
  /** Has whoever is there answer what the last result waits for; `undefined`: it waits for nobody, or nobody answers. */
  answer(): Promise<Answered | undefined>
  /** Does one step; text that cannot be the answer it stands for is told, and nothing is done. */
  act(step: Step): Promise<Acted>
  /** Whether it has ended, or was never started. */
  hasStopped(): boolean
}

/** What came of a step. */
type Acted = { ok: true; result: ToolResult } | { ok: false; message: string }

/** What came of an answer, and whether somebody was asked, and so has seen what it was asked about. */
interface Answered {
  result: ToolResult
  wasAsked: boolean
}

/** What a live call is driven with. */
export interface LiveOptions {
  tool: Tool
  /** The arguments as they were typed, without an action. */
  values: ToolCall['arguments']
  /** Executes an action; it gets an id of its own. */
  execute(action: ToolCall['arguments']): Promise<ToolResult>
  /** Has people answer what the live call of a result waits for. */
  answer(result: ToolResult): Promise<Answered | undefined>
  /** Typed behind every text: a program at a terminal reads lines. */
  lineEnd: string
}

/** Drives one handle through its actions. */
export function openLiveCall({ tool, values, execute, answer, lineEnd }: LiveOptions): LiveUse {
  let status = 'stopped'
  let questions: readonly InputRequest[] = []
  let last: ToolResult | undefined

  function note(result: ToolResult): ToolResult {
    status = result.metadata?.handle?.status ?? 'stopped'
    const asked = result.content.filter(isQuestionContent).map(({ question }) => question)
    questions = status === 'waiting' ? asked : []
    last = result
    return withoutHandleLine(result)
  }

  async function run(action: ToolCall['arguments']): Promise<ToolResult> {
    return note(await execute({ ...action, id: HANDLE }))
  }

  return {
    start: async () => await run(spawn(values, tool)),
    answer: async () => {
      const answered = last && (await answer(last))
      return answered && { ...answered, result: note(answered.result) }
    },
    act: async (step) => {
      if (step.action !== 'apply') return { ok: true, result: await run({ action: step.action }) }
      const input = questions.length > 0 ? await readAnswers(step.text, questions) : undefined
      if (input?.ok === false) return input
      const result = await run({ action: 'apply', input: input?.value ?? `${step.text}${lineEnd}` })
      return { ok: true, result }
    },
    hasStopped: () => status === 'stopped',
  }
}

/** The first line names the handle, which the command chose: nobody who reads needs it. */
function withoutHandleLine(result: ToolResult): ToolResult {
  return result.metadata?.handle ? { ...result, content: result.content.slice(1) } : result
}

function spawn(values: ToolCall['arguments'], tool: Tool): ToolCall['arguments'] {
  switch (locateArguments(tool)) {
    case 'beside':
      return { ...values, action: 'spawn' }
    case 'inside':
      return { action: 'spawn', arguments: values }
  }
}

/** The answer to the one question; to several, an object by their ids. */
async function readAnswers(text: string, questions: readonly InputRequest[]): Promise<ReadAnswer> {
  const [only, ...more] = questions
  if (only && more.length === 0) {
    const read = await readAnswer(text, only)
    return read.ok ? read : { ok: false, message: `the answer to "${only.id}": ${read.message}` }
  }
  const ids = questions.map(({ id }) => JSON.stringify(id)).join(', ')
  const value = parseJson(text)
  return isJsonObject(value)
    ? { ok: true, value }
    : { ok: false, message: `expected a JSON object with an answer to each of ${ids}` }
}

/** What came of a script: every result in its order, and the first step that was not done, in words. */
interface RanActions {
  results: readonly ToolResult[]
  problem?: string
}

/** Starts a call, takes one step after the other from the list, and aborts what is left. */
export async function runActions(
  live: LiveUse,
  steps: Step[],
  show: (result: ToolResult) => void,
): Promise<RanActions> {
  const results: ToolResult[] = []
  const noting: LiveUse = {
    ...live,
    answer: async () => {
      const answered = await live.answer()
      if (answered) results.push(answered.result)
      return answered
    },
  }
  const note = async (result: ToolResult): Promise<void> => {
    results.push(result)
    await showInteractions(noting, result, show)
  }
  await note(await live.start())
  for (let step = steps.shift(); step; step = steps.shift()) {
    const acted = live.hasStopped() ? ENDED : await live.act(step)
    if (!acted.ok) {
      await end(live)
      const typed = step.action === 'apply' ? `apply=${step.text}` : step.action
      return { results, problem: `--action ${JSON.stringify(typed)}: ${acted.message}` }
    }
    await note(acted.result)
  }
  await end(live)
  return { results }
}

const ENDED = { ok: false, message: 'not done; the call had ended before' } as const

/** Aborts what still lives; what it says to that is nobody's question. */
async function end(live: LiveUse): Promise<void> {
  if (!live.hasStopped()) await live.act({ action: 'abort' })
}

/** Answers a question with the next step of a script, where that is a text. */
export function answerBySteps(steps: Step[]): AnswerQuestion {
  return async (request) => {
    const [next] = steps
    if (next?.action !== 'apply') return { action: 'cancel', reason: 'nobody' }
    steps.shift()
    const read = await readAnswer(next.text, request)
    if (read.ok) return { action: 'accept', value: read.value }
    const typed = JSON.stringify(`apply=${next.text}`)
    return { action: 'cancel', reason: 'failed', message: `--action ${typed}: ${read.message}` }
  }
}

/** What is done with a call that stays alive, once it has started. */
export type Step =
  | { action: 'fetch' | 'abort' }
  /** Text to type, or an answer; read when it is its turn. */
  | { action: 'apply'; text: string }

/** Reads `--action apply=TEXT`, `fetch` and `abort`, in their order. */
export function readActions(
  typed: readonly string[],
): { ok: true; steps: readonly Step[] } | { ok: false; message: string } {
  const steps: Step[] = []
  for (const word of typed) {
    if (word === 'fetch' || word === 'abort') steps.push({ action: word })
    else if (word.startsWith('apply=')) steps.push({ action: 'apply', text: word.slice(6) })
    else {
      const message = `--action ${JSON.stringify(word)}: expected apply=TEXT, fetch or abort`
      return { ok: false, message }
    }
  }
  return { ok: true, steps }
}

/**
 * Shows a result, and has people answer what the call waits for, until it waits for nobody: each result is shown once. What somebody was asked
 * about they have seen with the question.
 */
export async function showInteractions(
  live: LiveUse,
  first: ToolResult,
  show: (result: ToolResult) => void,
): Promise<ToolResult> {
  let result = first
  for (;;) {
    const answered = await live.answer()
    if (!answered?.wasAsked) show(result)
    if (!answered) return result
    result = answered.result
  }
}
