import {
  type AnswerQuestion,
  runLiveCall,
  type ToolCall,
  type ToolResult,
} from '@toolblocks/protocol'
import type { DefinedTool } from '../defined-tool.ts'
import type { GivenRun } from '../run/tool-run.ts'
import { spawnCall } from './spawn-call.ts'

/** Who gives a stateful tool what it waits for, beside the answers that are known. */
export interface WaitOptions {
  /** As the host made it. Default: the call has no id. */
  call?: ToolCall
  /** Answers its questions. Default: nobody does. */
  ask?: AnswerQuestion
  /** Gives the input for each wait without a question. Default: `ask`. */
  askInput?: AnswerQuestion
}

/** Runs a stateful tool as one call: it stays alive while it is given what it waits for. */
export async function runToEnd(
  tool: DefinedTool,
  given: GivenRun,
  options: WaitOptions,
): Promise<ToolResult> {
  const { answers, signal, name } = given
  const call = { id: '', name, arguments: given.arguments }
  return await runLiveCall(await spawnCall(tool, given), { call, ...options, answers, signal })
}
