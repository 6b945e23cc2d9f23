import { createAnswerPort, type RecordInquiry, runInquiry } from '@toolblocks/inquiry'
import {
  type CallContext,
  createFailure,
  type Problem,
  type ToolCall,
  type ToolContext,
  type ToolResult,
  isJsonObject,
} from '@toolblocks/protocol'
import {
  toToolContext,
  parseJson,
  META_MADE_BY,
  describeThrown,
  withWarnings,
  describeValue,
} from '@toolblocks/protocol/internal'
import { DESCRIBE_TOOLS, hasMore, type ReceivedText } from './describe-tools.ts'
import { NotSettledError } from './executor-problem.ts'
import { finishResult, withCheckedResult } from './finish-result.ts'
import { type LiveActionContext, refuse } from './handle.ts'
import type { LiveCalls } from './live-calls.ts'
import { waitsForPeople } from './live-questions.ts'
import { isLiveCall, readLiveAction } from './live-schema.ts'
import {
  type ApproveCall,
  type AskInTurn,
  type ApplyRules,
  permitCall,
  permitEditedCall,
} from './permit-call.ts'
import { isForAppsOnly } from './app-tools.ts'
import { prepareCall } from './prepare-call.ts'
import { CALL_TOOL, type FoundToolsForm, readNamedCall, SEARCH_TOOLS } from './search-tools.ts'
import { withShape } from './shape-tool.ts'
import { type ToolEntries, type ToolEntry, unknownTool } from './tool-entry.ts'

/** What the calls of an executor share. */
export interface Execution {
  entries: ToolEntries
  /** The names of the tools that are not listed. */
  deferred: ReadonlySet<string>
  foundTools: FoundToolsForm
  receivedText: ReceivedText
  decide: ApplyRules | undefined
  approve: ApproveCall | undefined
  /** Serializes everything that asks the person of a call. */
  people(call: string, context: CallContext): AskInTurn
  /** Creates the recorder of the questions of a call. */
  record(context: CallContext): RecordInquiry
  live: LiveCalls
}

/** A call in execution. */
interface Executing extends Execution {
  entry: ToolEntry
  context: CallContext
  /** Receives warnings before there is a result. */
  warn: (problem: Problem) => void
}

/** The call to continue with, or the result that ends it. */
type CallStep = { ok: true; call: ToolCall } | { ok: false; result: ToolResult }

/** Runs a call to its result: reads it, finds the tool, runs the action, and completes the metadata of the result. */
export async function executeCall(
  call: ToolCall,
  execution: Execution,
  context: CallContext,
): Promise<ToolResult> {
  const warnings: Problem[] = []
  const warn = (problem: Problem): void => void warnings.push(problem)
  const read = readCall(call, execution)
  const result = read.ok ? await find(read.call, { ...execution, context, warn }) : read.result
  return finishResult(withWarnings(result, { before: warnings }), call, context)
}

/** Reads a call, and finds the call that a call of `call_tool` stands for. */
function readCall(call: ToolCall, { entries, deferred, foundTools }: Execution): CallStep {
  const read = readArguments(call)
  const isNamed = call.name === CALL_TOOL && foundTools === 'call-tool' && deferred.size > 0
  if (!read.ok || !isNamed) return read
  const named = readNamedCall(read.call)
  if (!named.ok) return named
  const entry = entries.get(named.call.name)
  // Only a model uses `call_tool`, and it must not call a tool for pages.
  return entry && isForAppsOnly(entry.tool)
    ? { ok: false, result: unknownTool(named.call.name, [...deferred]) }
    : readArguments(named.call)
}

/** Reads the arguments of a call. Providers and models may send them as JSON in a string. */
function readArguments(call: ToolCall): CallStep {
  const values: unknown = call.arguments
  // Some providers send an empty text for a call without arguments.
  const read = typeof values === 'string' ? parseJson(values.trim() || '{}') : values
  if (isJsonObject(read))
    return { ok: true, call: read === values ? call : { ...call, arguments: read } }
  const received =
    typeof values === 'string' ? 'a string that is not a JSON object' : describeValue(values)
  const text = `Invalid arguments for the tool ${JSON.stringify(call.name)}; the call was not run. Expected an object, got ${received}.`
  return { ok: false, result: createFailure(text) }
}

async function find(call: ToolCall, executing: Omit<Executing, 'entry'>): Promise<ToolResult> {
  const { entries, deferred } = executing
  const entry = entries.get(call.name)
  if (!entry) {
    const listed = [...entries.keys()].filter((name) => !deferred.has(name))
    return withSearch(unknownTool(call.name, listed), executing)
  }
  const withEntry = { ...executing, entry }
  return await settle(call.name, executing, async () =>
    isLiveCall(call, entry.tool) ? await actLive(call, withEntry) : await runOnce(call, withEntry),
  )
}

/** Converts a thrown error of a tool or port into a result, so that one call never ends the others. */
async function settle<Value>(
  name: string,
  { context, warn }: Pick<Executing, 'context' | 'warn'>,
  work: () => Promise<Value>,
): Promise<Value | ToolResult> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof NotSettledError)) return describeThrown(name, error, context)
    warn(error.problem)
    return createFailure(`The call of "${name}" was cancelled; ${error.message}.`, 'cancelled')
  }
}

async function runOnce(call: ToolCall, executing: Executing): Promise<ToolResult> {
  const permitted = await prepareAndPermit(call, executing)
  if (!permitted.ok) return permitted.result
  const { entry, context } = executing
  const result = await runInquiry(withCheckedResult(entry.tool), permitted.call, {
    context: askedInTurn(call.id, executing),
    record: executing.record(context),
    ...(entry.routes && { routes: entry.routes }),
    ...(entry.options && { options: entry.options }),
  })
  return withShape(result, entry)
}

/** Prepares a call and decides whether it may run. Arguments that a person edited are prepared again. */
async function prepareAndPermit(call: ToolCall, executing: Executing): Promise<CallStep> {
  const { entry, people, warn } = executing
  const prepared = await prepareCall(call, entry)
  if (!prepared.ok) return { ok: false, result: pointToDescription(prepared.result, executing) }
  prepared.warnings.forEach(warn)
  const { approval } = executing.context
  const request = {
    ...executing,
    people: people(call.id, executing.context),
    context: getToolContext(executing),
    ...(approval && { approval }),
  }
  const permitted = await permitCall(prepared.call, entry, request)
  if (!permitted.ok || permitted.call === prepared.call) return permitted
  const edited = await prepareCall(permitted.call, entry)
  return edited.ok ? await permitEditedCall(edited.call, entry, request) : edited
}

/** More tools exist than those that are listed. */
function withSearch(result: ToolResult, { deferred }: Pick<Execution, 'deferred'>): ToolResult {
  if (deferred.size === 0) return result
  const text = `${SEARCH_TOOLS} finds ${deferred.size} more.`
  return { ...result, content: [...result.content, { type: 'text', text }] }
}

/** Whether a call may run, before it runs. */
export type CallPermission =
  /** The call needs no person: its policy or a rule allows it, or its result is an error that needs no permission. */
  | { decision: 'allowed' }
  /** A person decides. `formatted`: the tool's own rendering of the call, which is untrusted. */
  | { decision: 'ask'; formatted?: ToolResult }
  /** The call never runs. `result` says why. */
  | { decision: 'refused'; result: ToolResult }

/** Decides whether a call may run, without a person and without running it; see `ToolExecutor.getPermission`. */
export async function getPermission(
  toolCall: ToolCall,
  execution: Execution,
  context: CallContext,
): Promise<CallPermission> {
  const read = readCall(toolCall, execution)
  const entry = read.ok ? execution.entries.get(read.call.name) : undefined
  if (!read.ok || !entry) return ALLOWED
  const isSpawned = isLiveCall(read.call, entry.tool)
  const live = isSpawned ? readLiveAction(read.call, entry.tool) : undefined
  if (live && (!live.ok || live.action.action !== 'spawn')) return ALLOWED
  const call = live?.ok
    ? { ...read.call, arguments: 'arguments' in live.action ? live.action.arguments : {} }
    : read.call
  const prepared = await prepareCall(call, entry)
  if (!prepared.ok) return ALLOWED
  let asked: CallPermission | undefined
  const settled = await settle(call.name, { context, warn: () => {} }, async () => {
    const permitted = await permitCall(prepared.call, entry, {
      decide: execution.decide,
      approve: async (_, { formatted }) => {
        asked = { decision: 'ask', ...(formatted && { formatted }) }
        return { decision: 'cancelled' }
      },
      people: async (work) => await work(),
      context: getToolContext({ context, entry }),
      warn: () => {},
    })
    return permitted.ok ? ALLOWED : { decision: 'refused' as const, result: permitted.result }
  })
  if (asked) return asked
  return 'decision' in settled ? settled : { decision: 'refused', result: settled }
}

const ALLOWED: CallPermission = { decision: 'allowed' }

/** A model that sent wrong arguments may not have read everything about the tool. */
function pointToDescription(
  result: ToolResult,
  { entry, entries, receivedText }: Executing,
): ToolResult {
  if (!hasMore(entry.tool, receivedText) || !entries.has(DESCRIBE_TOOLS)) return result
  const names = JSON.stringify({ tools: [entry.tool.name] })
  const text = `Call ${DESCRIBE_TOOLS} with ${names} for its full description.`
  return { ...result, content: [...result.content, { type: 'text', text }] }
}

function getToolContext({ context, entry }: Pick<Executing, 'context' | 'entry'>): ToolContext {
  return toToolContext(context, entry.options ? { options: entry.options } : {})
}

/** The context of a call in which a person answers one question at a time. */
function askedInTurn(call: string, { context, people }: Executing): CallContext {
  const user = context.ask?.user
  if (!user) return context
  const inTurn: typeof user = async (request, asking) =>
    await people(call, context)(async () => await user(request, asking), {
      signal: asking.signal,
      whenAborted: () => ({ action: 'cancel', reason: 'aborted' }),
    })
  return { ...context, ask: { ...context.ask, user: inTurn } }
}

/** Only a spawn is checked and needs permission. The model that started a call may use it. */
async function actLive(call: ToolCall, executing: Executing): Promise<ToolResult> {
  const { entry, live } = executing
  const read = readLiveAction(call, entry.tool)
  if (!read.ok) return refuse(read.message)
  const { action } = read
  const permitted: CallStep =
    action.action === 'spawn'
      ? await prepareAndPermit({ ...call, arguments: action.arguments }, executing)
      : { ok: true, call }
  if (!permitted.ok) return permitted.result
  return withShape(await live.act(action, getLiveUse(permitted.call, executing)), entry)
}

/** Returns the context of one interaction with a running call. */
function getLiveUse(call: ToolCall, executing: Executing): LiveActionContext {
  const { entry, context, warn } = executing
  const record = executing.record(context)
  const ask = createAnswerPort({
    ports: askedInTurn(call.id, executing).ask ?? {},
    routes: entry.routes ?? {},
    answers: context.answers ?? {},
    callId: call.id,
    record,
    warn,
  })
  return {
    entry,
    call,
    context: { ...getToolContext(executing), ask },
    unanswered: context.unanswered ?? 'fail',
    record,
    warn,
  }
}

/** A call that the host made with a person's answers, and its result. Record both and give them to the model. */
export interface AnsweredLiveCall {
  call: ToolCall
  result: ToolResult
}

/** Asks people the questions that a running call waits for; see `ToolExecutor.answerWaiting`. */
export async function answerWaiting(
  waitingResult: ToolResult,
  execution: Execution,
  context: CallContext,
): Promise<AnsweredLiveCall | undefined> {
  const { live } = execution
  const id: unknown = waitingResult.metadata?.handle?.id
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
    const answered = await live.answer(handle, getLiveUse(call, executing))
    return answered ?? 'nothing'
  })
  if (settled === 'nothing') return undefined
  const { arguments: values, result } =
    'result' in settled ? settled : { arguments: call.arguments, result: settled }
  const made = { ...call, arguments: values }
  return {
    call: made,
    result: finishResult(withWarnings(result, { before: warnings }), made, context),
  }
}
