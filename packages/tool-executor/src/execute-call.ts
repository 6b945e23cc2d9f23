import { createAnswerPort, runInquiry, type RecordInquiry } from '@toolblocks/inquiry'
import {
  createFailure,
  toToolContext,
  type CallContext,
  type Problem,
  type ToolCall,
  type ToolContext,
  type ToolResult,
  nameInWords,
  sayAndQuote,
} from '@toolblocks/protocol'
import { prepareCall } from './arguments/prepare-call.ts'
import { readCall } from './arguments/read-call.ts'
import { DESCRIBE_TOOLS } from './describe/create-describe-tools.ts'
import { hasMore } from './describe/describe-in-full.ts'
import type { LiveCalls } from './handles/create-live-calls.ts'
import { refuse } from './handles/describe-handle.ts'
import { isLiveCall, readLiveAction } from './handles/read-live-action.ts'
import type { AllowCall, ApproveCall } from './permission/approve-call.ts'
import { withQueue } from './permission/ask-in-turn.ts'
import { permitCall } from './permission/permit-call.ts'
import { NotSettledError } from './not-settled-error.ts'
import type { Queue } from './queue.ts'
import { withCheckedResult } from './results/check-result.ts'
import { completeResult } from './results/complete-result.ts'
import { unknownTool, type ToolEntries } from './tools/index-tools.ts'
import type { ToolEntry } from './tools/tool-entry.ts'

/** What calls are executed with. */
export interface Execution {
  entries: ToolEntries
  allow: AllowCall | undefined
  approve: ApproveCall | undefined
  /** Whatever asks a person goes through here. */
  people: Queue
  record: RecordInquiry
  live: LiveCalls
}

/** A call that is being executed. */
interface Executing extends Execution {
  entry: ToolEntry
  context: CallContext
  /** Gets what is worth a warning before there is a result. */
  warn: (problem: Problem) => void
}

/** Takes a call to its result: reads it, finds the tool, does what is asked, and says what is known of the result. */
export async function executeCall(
  given: ToolCall,
  execution: Execution,
  context: CallContext,
): Promise<ToolResult> {
  const warnings: Problem[] = []
  const warn = (problem: Problem): void => void warnings.push(problem)
  const result = await resultOf(given, { ...execution, context, warn })
  return completeResult(result, given, { root: context.root, warnings })
}

/** What a tool or port throws becomes a result, so that one call never takes its siblings down. */
async function resultOf(given: ToolCall, executing: Omit<Executing, 'entry'>): Promise<ToolResult> {
  const read = readCall(given)
  if (!read.ok) return read.result
  const { call } = read
  const entry = executing.entries.get(call.name)
  if (!entry) return unknownTool(call.name, executing.entries)
  try {
    const found = { ...executing, entry }
    return isLiveCall(call, entry.tool) ? await actLive(call, found) : await runOnce(call, found)
  } catch (error) {
    if (error instanceof NotSettledError) {
      executing.warn(error.problem)
      return createFailure(
        `The call of "${call.name}" was cancelled; ${error.message}.`,
        'cancelled',
      )
    }
    const reason = error instanceof Error ? error.message : String(error)
    const outcome = executing.context.signal.aborted ? 'cancelled' : 'failed'
    return createFailure(
      sayAndQuote(`The call of ${nameInWords(call.name)} failed.`, reason),
      outcome,
    )
  }
}

async function runOnce(given: ToolCall, executing: Executing): Promise<ToolResult> {
  const permitted = await prepareAndPermit(given, executing)
  if (!permitted.ok) return permitted.result
  const { entry, record, context, people } = executing
  return await runInquiry(withCheckedResult(entry.tool), permitted.call, {
    context: withQueue(context, people),
    record,
    ...(entry.routes && { routes: entry.routes }),
    ...(entry.options && { options: entry.options }),
  })
}

/** Only a spawn is checked and permitted: whoever may start a live call may use it. */
async function actLive(given: ToolCall, executing: Executing): Promise<ToolResult> {
  const { entry, live, context, people, record, warn } = executing
  const read = readLiveAction(given, entry.tool)
  if (!read.ok) return refuse(read.message)
  const { action } = read
  const permitted =
    action.action === 'spawn'
      ? await prepareAndPermit({ ...given, arguments: action.arguments }, executing)
      : { ok: true as const, call: given }
  if (!permitted.ok) return permitted.result
  const { call } = permitted
  const ask = createAnswerPort({
    ports: withQueue(context, people).ask ?? {},
    routes: entry.routes ?? {},
    answers: context.answers ?? {},
    callId: call.id,
    record,
    warn,
  })
  return await live.act(action, {
    entry,
    call,
    context: { ...toolContextOf(executing), ask },
    unanswered: context.unanswered ?? 'fail',
    record,
    warn,
  })
}

type Permitted = { ok: true; call: ToolCall } | { ok: false; result: ToolResult }

/** Prepares a call and asks for permission; arguments that a person edited are prepared again. */
async function prepareAndPermit(given: ToolCall, executing: Executing): Promise<Permitted> {
  const { entry, allow, approve, people, warn } = executing
  const prepared = await prepareCall(given, entry)
  if (!prepared.ok) return { ok: false, result: pointToDescription(prepared.result, executing) }
  prepared.warnings.forEach(warn)
  const context = toolContextOf(executing)
  const permission = await permitCall(prepared.call, entry, {
    allow,
    approve,
    people,
    context,
    warn,
  })
  if (!permission.permitted) return { ok: false, result: permission.result }
  return permission.edited ? await prepareCall(permission.call, entry) : prepared
}

/** Whoever got the arguments wrong may not have read all that is said of them. */
function pointToDescription(result: ToolResult, { entry, entries }: Executing): ToolResult {
  if (!hasMore(entry.tool) || !entries.has(DESCRIBE_TOOLS)) return result
  const names = JSON.stringify({ tools: [entry.tool.name] })
  const text = `${DESCRIBE_TOOLS} with ${names} tells more about it.`
  return { ...result, content: [...result.content, { type: 'text', text }] }
}

function toolContextOf({ context, entry }: Executing): ToolContext {
  return toToolContext(context, entry.options ? { options: entry.options } : {})
}
