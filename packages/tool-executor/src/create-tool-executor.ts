import {
  createErrorResult,
  type CallContext,
  type CallTool,
  type Problem,
  type ToolCall,
  type ToolDefinition,
  type ToolResult,
} from '@toolblocks/protocol'
import { prepareCall } from './arguments/prepare-call.ts'
import { oneAtATime } from './one-at-a-time.ts'
import type { ApproveCall } from './permission/approve-call.ts'
import { permitCall } from './permission/permit-call.ts'
import { completeResult } from './results/complete-result.ts'
import { endUnanswered } from './results/unanswered.ts'
import { runTool, toToolContext } from './run-tool.ts'
import { definitionOf } from './tools/definition-of.ts'
import { indexTools, unknownTool } from './tools/find-tool.ts'
import type { ToolEntry } from './tools/tool-entry.ts'

/** What an executor is made of. */
export interface ToolExecutorOptions {
  tools: readonly ToolEntry[]
  /** Asked for tools of policy `ask`, one call at a time. Absent: such calls are denied. */
  approve?: ApproveCall
}

/** Tools behind one door. */
export interface ToolExecutor {
  /** What a model may call, in the order given. */
  readonly definitions: readonly ToolDefinition[]
  /** Runs one call from start to end. Never rejects for anything a tool, model or person did. */
  execute: CallTool
}

/**
 * Makes an executor: it finds the tool, completes and checks the arguments, asks for permission, runs the tool and says
 * what is known of the result. Calls may run side by side.
 *
 * @throws {@link ToolExecutorError} with code `duplicate-tool` when two tools share a name.
 */
export function createToolExecutor(options: ToolExecutorOptions): ToolExecutor {
  const entries = indexTools(options.tools)
  const approve = options.approve && oneAtATime(options.approve)

  async function execute(call: ToolCall, context: CallContext): Promise<ToolResult> {
    const entry = entries.get(call.name)
    const { result, warnings } = entry
      ? await settleCall(call, { entry, approve, context })
      : { result: unknownTool(call.name, entries), warnings: [] }
    return completeResult(result, call, { root: context.root, warnings })
  }

  return { definitions: options.tools.map(({ tool }) => definitionOf(tool)), execute }
}

interface Settling {
  entry: ToolEntry
  approve: ApproveCall | undefined
  context: CallContext
}

interface SettledCall {
  result: ToolResult
  warnings: readonly Problem[]
}

/** What a tool or port throws becomes a result, so that one call never takes its siblings down. */
async function settleCall(call: ToolCall, settling: Settling): Promise<SettledCall> {
  try {
    return await takeSteps(call, settling)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const outcome = settling.context.signal.aborted ? 'cancelled' : 'failed'
    const text = `The call of "${call.name}" failed: ${reason}`
    return { result: createErrorResult(text, undefined, { outcome }), warnings: [] }
  }
}

async function takeSteps(
  given: ToolCall,
  { entry, approve, context }: Settling,
): Promise<SettledCall> {
  const prepared = prepareCall(given, entry)
  if (!prepared.ok) return { result: prepared.result, warnings: [] }
  const toolContext = toToolContext(context, entry)
  const permission = await permitCall(prepared.call, entry, { approve, context: toolContext })
  if (!permission.permitted) return { result: permission.result, warnings: prepared.warnings }
  const permitted = permission.edited ? prepareCall(permission.call, entry) : prepared
  if (!permitted.ok) return { result: permitted.result, warnings: [] }
  const result = await runTool(entry.tool, permitted.call, toolContext)
  const { unanswered = 'fail' } = context
  return { result: endUnanswered(result, unanswered), warnings: permitted.warnings }
}
