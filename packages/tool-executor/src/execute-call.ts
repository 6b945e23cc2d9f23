import { createAnswerPort, runInquiry, type RecordInquiry } from '@toolblocks/inquiry'
import {
  createFailure,
  META_MADE_BY,
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
import { waitsForPeople } from './handles/give-input.ts'
import type { LiveUse } from './handles/live-use.ts'
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
  /** Whatever asks a person goes through here, by the id of the call that waits meanwhile. */
  people(call: string): Queue
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

/** A call that a host made for what people answered, and its result: both to be recorded and given to the model. */
export interface AnsweredCall {
  call: ToolCall
  result: ToolResult
}

/** Asks people what the live call of a result waits for; see `ToolExecutor.answerWaiting`. */
export async function answerWaiting(
  given: ToolResult,
  execution: Execution,
  context: CallContext,
): Promise<AnsweredCall | undefined> {
  const { live } = execution
  const id: unknown = given.metadata?.handle?.id
  const handle = typeof id === 'string' ? live.find(context.conversationId, id) : undefined
  if (!handle || !waitsForPeople(handle)) return undefined
  handle.hostCalls += 1
  const call: ToolCall = {
    id: `${handle.call.id}.answer-${handle.hostCalls}`,
    name: handle.entry.tool.name,
    arguments: { action: 'fetch', id: handle.id },
    _meta: { [META_MADE_BY]: 'host' },
  }
  const warnings: Problem[] = []
  const warn = (problem: Problem): void => void warnings.push(problem)
  const executing = { ...execution, entry: handle.entry, context, warn }
  const settled = await settle(call.name, executing, async () => {
    const answered = await live.answer(handle, liveUseOf(call, executing))
    return answered ?? 'nothing'
  })
  if (settled === 'nothing') return undefined
  const { arguments: values, result } =
    'result' in settled ? settled : { arguments: call.arguments, result: settled }
  const made = { ...call, arguments: values }
  return { call: made, result: completeResult(result, made, { root: context.root, warnings }) }
}

async function resultOf(given: ToolCall, executing: Omit<Executing, 'entry'>): Promise<ToolResult> {
  const read = readCall(given)
  if (!read.ok) return read.result
  const { call } = read
  const entry = executing.entries.get(call.name)
  if (!entry) return unknownTool(call.name, executing.entries)
  const found = { ...executing, entry }
  return await settle(call.name, executing, async () =>
    isLiveCall(call, entry.tool) ? await actLive(call, found) : await runOnce(call, found),
  )
}

/** What a tool or port throws becomes a result, so that one call never takes its siblings down. */
async function settle<Value>(
  name: string,
  { context, warn }: Pick<Executing, 'context' | 'warn'>,
  work: () => Promise<Value>,
): Promise<Value | ToolResult> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof NotSettledError) {
      warn(error.problem)
      return createFailure(`The call of "${name}" was cancelled; ${error.message}.`, 'cancelled')
    }
    const reason = error instanceof Error ? error.message : String(error)
    const outcome = context.signal.aborted ? 'cancelled' : 'failed'
    return createFailure(sayAndQuote(`The call of ${nameInWords(name)} failed.`, reason), outcome)
  }
}

async function runOnce(given: ToolCall, executing: Executing): Promise<ToolResult> {
  const permitted = await prepareAndPermit(given, executing)
  if (!permitted.ok) return permitted.result
  const { entry, record, context, people } = executing
  const queue = people(given.id)
  return await runInquiry(withCheckedResult(entry.tool), permitted.call, {
    context: withQueue(context, queue),
    record,
    ...(entry.routes && { routes: entry.routes }),
    ...(entry.options && { options: entry.options }),
  })
}

/** Only a spawn is checked and permitted: whoever may start a live call may use it. */
async function actLive(given: ToolCall, executing: Executing): Promise<ToolResult> {
  const { entry, live } = executing
  const read = readLiveAction(given, entry.tool)
  if (!read.ok) return refuse(read.message)
  const { action } = read
  const permitted =
    action.action === 'spawn'
      ? await prepareAndPermit({ ...given, arguments: action.arguments }, executing)
      : { ok: true as const, call: given }
  if (!permitted.ok) return permitted.result
  return await live.act(action, liveUseOf(permitted.call, executing))
}

/** What one interaction with a live call works with. */
function liveUseOf(call: ToolCall, executing: Executing): LiveUse {
  const { entry, context, people, record, warn } = executing
  const ask = createAnswerPort({
    ports: withQueue(context, people(call.id)).ask ?? {},
    routes: entry.routes ?? {},
    answers: context.answers ?? {},
    callId: call.id,
    record,
    warn,
  })
  return {
    entry,
    call,
    context: { ...toolContextOf(executing), ask },
    unanswered: context.unanswered ?? 'fail',
    record,
    warn,
  }
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
    people: people(given.id),
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
