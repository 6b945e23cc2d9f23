import {
  type AnswerQuestion,
  runLiveCall,
  type ToolCall,
  type ToolResult,
} from '@toolblocks/protocol'
import type { DefinedTool } from '../defined-tool.ts'
import type { GivenRun } from '../run/tool-run.ts'
import { spawnCall } from './spawn-call.ts'

/** Who gives a stateful tool what it waits for. */
interface EndOptions {
  call: ToolCall
  /** Default: nobody. */
  ask?: AnswerQuestion | undefined
  /** For each wait without a question. Default: `ask`. */
  askInput?: AnswerQuestion | undefined
}

/** Runs a stateful tool as one call: it stays alive while it is given the answers that are known, and those that `ask` gets. */
export async function runToEnd(
  tool: DefinedTool,
  given: GivenRun,
  { call, ask = nobody, askInput = ask }: EndOptions,
): Promise<ToolResult> {
  const { answers, signal } = given
  return await runLiveCall(await spawnCall(tool, given), {
    call,
    signal,
    askInput,
    ask: async (request, context) => {
      const known = Object.hasOwn(answers, request.id) ? answers[request.id] : undefined
      return known === undefined ? await ask(request, context) : { action: 'accept', value: known }
    },
  })
}

const nobody: AnswerQuestion = async () => ({ action: 'cancel', reason: 'nobody' })
