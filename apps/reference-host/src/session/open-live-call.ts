import {
  type InputRequest,
  isJsonObject,
  isQuestionContent,
  parseJson,
  type Tool,
  type ToolCall,
  type ToolResult,
} from '@toolblocks/protocol'
import { placeOfArguments } from '@toolblocks/tool-executor'
import { readAnswer, type ReadAnswer } from '../calls/read-answer.ts'
import type { Step } from './read-actions.ts'

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
export interface Answered {
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
  switch (placeOfArguments(tool)) {
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
