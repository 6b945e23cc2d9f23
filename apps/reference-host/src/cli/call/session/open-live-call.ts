import {
  type AnswerQuestion,
  type InputRequest,
  type Tool,
  type ToolCall,
  type ToolResult,
  isQuestionContent,
  isJsonObject,
} from '@toolblocks/protocol'
import { parseJson } from '@toolblocks/protocol/internal'
import { locateArguments } from '@toolblocks/tool-executor/internal'
import { type ReadTypedAnswer, readAnswer } from '../../../terminal/typed/read-answer.ts'

/** The name of the only handle of a command. */
const HANDLE = 'call'

/** A stateful call as the command uses it. */
export interface LiveSession {
  start(): Promise<ToolResult>
  /** Asks the person the question of the last result. Returns `undefined` if it has no question or gets no answer. */
  answer(): Promise<AnswerOutcome | undefined>
  /** Runs one step. A text that is not a valid answer is reported and not sent. */
  act(step: SessionStep): Promise<StepOutcome>
  /** Whether the call has ended or never started. */
  hasStopped(): boolean
  /** Says what a program does so that its call does not end. `undefined`: the call cannot continue, or the program has no protocol. */
  explainStop(): string | undefined
}

/** The outcome of a step. */
type StepOutcome = { ok: true; result: ToolResult } | { ok: false; message: string }

/** The outcome of an answer, and whether a person was asked and so has seen the question's result. */
interface AnswerOutcome {
  result: ToolResult
  wasAsked: boolean
}

/** The parts from which a live call is made. */
export interface LiveOptions {
  tool: Tool
  /** The typed arguments, without an action. */
  values: ToolCall['arguments']
  /** Executes an action with an id of its own. */
  execute(action: ToolCall['arguments']): Promise<ToolResult>
  /** Asks people the question of a live call's result. */
  answer(result: ToolResult): Promise<AnswerOutcome | undefined>
  /** The characters added to each text, because a program at a terminal reads lines. */
  lineEnd: string
}

/** Creates the live call of one handle and runs its actions. */
export function openLiveCall({ tool, values, execute, answer, lineEnd }: LiveOptions): LiveSession {
  let status = 'stopped'
  let questions: readonly InputRequest[] = []
  let last: ToolResult | undefined

  function note(result: ToolResult): ToolResult {
    status = result.metadata?.handle?.status ?? 'stopped'
    const asked = result.content.filter(isQuestionContent).map(({ question }) => question)
    questions = status === 'waiting' ? asked : []
    last = result
    return removeHandleLine(result)
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
    explainStop: () => (lineEnd !== '' || last?.isError === true ? undefined : STAYS_ALIVE),
  }
}

/** Removes the first line, which names the handle: the command chose it, and no reader needs it. */
function removeHandleLine(result: ToolResult): ToolResult {
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

/** Reads the answer to one question, or an object of answers by their ids for several. */
async function readAnswers(
  text: string,
  questions: readonly InputRequest[],
): Promise<ReadTypedAnswer> {
  const [only, ...more] = questions
  if (only && more.length === 0) {
    const read = await readAnswer(text, only)
    return read.ok ? read : { ok: false, message: `the answer to "${only.id}": ${read.message}` }
  }
  const ids = questions.map(({ id }) => JSON.stringify(id)).join(', ')
  const value = parseJson(text)
  return isJsonObject(value)
    ? { ok: true, value }
    : {
        ok: false,
        message: `expected a JSON object with an answer to each of these questions: ${ids}`,
      }
}

/** The outcome of a script: every result in order, and why the first failed step did not run. */
interface ActionsOutcome {
  results: readonly ToolResult[]
  problem?: string
}

/** Starts a call, runs the steps in order, and aborts the call if it still runs. */
export async function runActions(
  live: LiveSession,
  steps: SessionStep[],
  show: (result: ToolResult) => void,
): Promise<ActionsOutcome> {
  const results: ToolResult[] = []
  const noting: LiveSession = {
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
  let before: SessionStep | undefined
  for (let step = steps.shift(); step; step = steps.shift()) {
    const acted = live.hasStopped() ? refuseStep(live, before) : await live.act(step)
    before = step
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

const STAYS_ALIVE =
  'a call continues while a response has _meta["computer.jp/status"] "running" or "waiting"; a response without it means "stopped"'

/** Refuses a step of a call that has ended. A person who has ended it needs no explanation. */
function refuseStep(
  live: LiveSession,
  before: SessionStep | undefined,
): Extract<StepOutcome, { ok: false }> {
  const why = before?.action === 'abort' ? undefined : live.explainStop()
  const message = 'this action did not run, because the call had ended before'
  return { ok: false, message: why === undefined ? message : `${message}: ${why}` }
}

/** Aborts a call that still runs. Its last result is not shown. */
async function end(live: LiveSession): Promise<void> {
  if (!live.hasStopped()) await live.act({ action: 'abort' })
}

/** Answers a question with the next step of a script, if that step is a text. */
export function answerBySteps(steps: SessionStep[]): AnswerQuestion {
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

/** One step of a stateful call that has started. */
export type SessionStep =
  | { action: 'fetch' | 'abort' }
  /** Text to type, or an answer. It is read when the step runs. */
  | { action: 'apply'; text: string }

/** Reads `--action apply=TEXT`, `fetch` and `abort`, in their order. */
export function readActions(
  typed: readonly string[],
): { ok: true; steps: readonly SessionStep[] } | { ok: false; message: string } {
  const steps: SessionStep[] = []
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
 * Shows a result and asks people its question, until a result has no question. Each result is shown once: a result that was shown with a question
 * is not shown again.
 */
export async function showInteractions(
  live: LiveSession,
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
