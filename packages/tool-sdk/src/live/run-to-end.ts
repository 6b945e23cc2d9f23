import {
  type Answers,
  type ContentBlock,
  createSuccessResult,
  type JsonValue,
  type ToolResult,
} from '@toolblocks/protocol'
import type { LiveSteps } from '../defined-tool.ts'
import { error } from '../results/error.ts'
import { toResult } from '../results/returned.ts'
import { isWaiting, type Waiting } from './waiting.ts'

/** What a stateful tool is given when nobody can talk to it. */
interface Given {
  answers: Answers
  /** For each wait without a question. */
  inputs?: readonly JsonValue[]
}

type Reply = { value: JsonValue } | { missing: ToolResult }

/** Runs a stateful tool as one call: everything it shows is one result. A question without an answer ends it, as in any other tool. */
export async function runToEnd(
  steps: LiveSteps,
  { answers, inputs = [] }: Given,
): Promise<ToolResult> {
  const shown: ContentBlock[] = []
  const left = [...inputs]
  let step = await steps.next(null)
  while (step.done !== true) {
    if (!isWaiting(step.value)) {
      const { content, isError } = toResult(step.value)
      shown.push(...content)
      if (isError) return await endWith(toResult({ content: [], isError }, shown))
      step = await steps.next(null)
      continue
    }
    shown.push(...step.value.content)
    const reply = replyTo(step.value, shown)
    if ('missing' in reply) return await endWith(reply.missing)
    step = await steps.next(reply.value)
  }
  return step.value === undefined ? createSuccessResult(shown) : toResult(step.value, shown)

  function replyTo({ question }: Waiting, before: readonly ContentBlock[]): Reply {
    if (question) {
      const answer = Object.hasOwn(answers, question.id) ? answers[question.id] : undefined
      if (answer !== undefined) return { value: answer }
      return { missing: createSuccessResult([...before, { type: 'question', question }]) }
    }
    const input = left.shift()
    if (input !== undefined) return { value: input }
    const message = 'The tool waits for input, which a call that runs once cannot give: spawn it.'
    return { missing: toResult(error(message), before) }
  }

  /** Lets the tool clean up behind itself. */
  async function endWith(result: ToolResult): Promise<ToolResult> {
    let last = await steps.return()
    while (last.done !== true) last = await steps.next(null)
    return result
  }
}
