import { createAnswerPort, runInquiry, type RecordInquiry } from '@toolblocks/inquiry'
import {
  createErrorResult,
  type CallContext,
  type Problem,
  type ToolCall,
  type ToolResult,
} from '@toolblocks/protocol'
import { prepareCall } from './arguments/prepare-call.ts'
import type { LiveCalls } from './handles/create-live-calls.ts'
import { refuse } from './handles/describe-handle.ts'
import { isLiveCall, readLiveAction } from './handles/read-live-action.ts'
import type { ApproveCall } from './permission/approve-call.ts'
import { askInTurn } from './permission/ask-in-turn.ts'
import { permitCall } from './permission/permit-call.ts'
import type { Queue } from './queue.ts'
import { toToolContext, withCheckedResult } from './run-tool.ts'
import type { ToolEntry } from './tools/tool-entry.ts'

/** What one call is settled with. */
export interface Settling {
  entry: ToolEntry
  approve: ApproveCall | undefined
  /** Whatever asks a person goes through here. */
  people: Queue
  recordInquiry: RecordInquiry | undefined
  live: LiveCalls
  context: CallContext
}

/** A result with what was known before the tool ran. */
export interface SettledCall {
  result: ToolResult
  warnings: readonly Problem[]
}

/** Takes a call to its result. What a tool or port throws becomes a result, so that one call never takes its siblings down. */
export async function settleCall(call: ToolCall, settling: Settling): Promise<SettledCall> {
  try {
    return isLiveCall(call, settling.entry.tool)
      ? await actLive(call, settling)
      : await runOnce(call, settling)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const outcome = settling.context.signal.aborted ? 'cancelled' : 'failed'
    const text = `The call of "${call.name}" failed: ${reason}`
    return { result: createErrorResult(text, undefined, { outcome }), warnings: [] }
  }
}

async function runOnce(given: ToolCall, settling: Settling): Promise<SettledCall> {
  const permitted = await prepareAndPermit(given, settling)
  if ('result' in permitted) return permitted
  const { entry, recordInquiry, context } = settling
  const result = await runInquiry(withCheckedResult(entry.tool), permitted.call, {
    context: withQueue(context, settling.people),
    ...(entry.routes && { routes: entry.routes }),
    ...(entry.options && { options: entry.options }),
    ...(recordInquiry && { record: recordInquiry }),
  })
  return { result, warnings: permitted.warnings }
}

/** Only a spawn is checked and permitted: whoever may start a live call may use it. */
async function actLive(given: ToolCall, settling: Settling): Promise<SettledCall> {
  const { entry, live, context } = settling
  const read = readLiveAction(given, entry.tool)
  if (!read.ok) return { result: refuse(read.message), warnings: [] }
  const { action } = read
  const own = action.action === 'spawn' ? { ...given, arguments: action.arguments } : given
  const permitted =
    action.action === 'spawn'
      ? await prepareAndPermit(own, settling)
      : { call: own, warnings: [] as readonly Problem[] }
  if ('result' in permitted) return permitted
  const warnings = [...permitted.warnings]
  const record = settling.recordInquiry ?? (() => {})
  const ask = createAnswerPort({
    ports: withQueue(context, settling.people).ask ?? {},
    routes: entry.routes ?? {},
    callId: given.id,
    record,
    warn: (problem) => warnings.push(problem),
  })
  const use = { entry, call: permitted.call, context: toToolContext(context, entry), ask, record }
  return { result: await live.act(action, use), warnings }
}

async function prepareAndPermit(
  given: ToolCall,
  { entry, approve, context }: Settling,
): Promise<SettledCall | { call: ToolCall; warnings: readonly Problem[] }> {
  const prepared = prepareCall(given, entry)
  if (!prepared.ok) return { result: prepared.result, warnings: [] }
  const toolContext = toToolContext(context, entry)
  const permission = await permitCall(prepared.call, entry, { approve, context: toolContext })
  if (!permission.permitted) return { result: permission.result, warnings: prepared.warnings }
  if (!permission.edited) return prepared
  const edited = prepareCall(permission.call, entry)
  return edited.ok ? edited : { result: edited.result, warnings: [] }
}

/** One person answers, whoever asks. */
function withQueue(context: CallContext, people: Queue): CallContext {
  const user = context.ask?.user
  return user ? { ...context, ask: { ...context.ask, user: askInTurn(user, people) } } : context
}
