import {
  requireArguments,
  requireChoices,
  createQueues,
  PORT_GRACE_MS,
  withinGrace,
} from '@toolblocks/protocol/internal'
import {
  type CallContext,
  type ExecuteCall,
  type InquiryEvent,
  type Telemetry,
  type ToolCall,
  type ToolDefinition,
  type ToolResult,
} from '@toolblocks/protocol'
import {
  DESCRIBE_TOOLS,
  createDescribeTools,
  hasMore,
  type ReceivedText,
} from './describe-tools.ts'
import {
  answerWaiting,
  type AnsweredLiveCall,
  type CallPermission,
  executeCall,
  type Execution,
  getPermission,
} from './execute-call.ts'
import { isForAppsOnly } from './app-tools.ts'
import { AWAIT_DEFINITION, createAwaitTool } from './await-tool.ts'
import { createLiveCalls } from './live-calls.ts'
import type { HandleLimits } from './handle.ts'
import type { LiveSchemaForm } from './live-schema.ts'
import type { ApproveCall, AskingCall, AskInTurn, ApplyRules, WrapWait } from './permit-call.ts'
import {
  CALL_TOOL,
  createCallTool,
  createSearchTools,
  type FoundToolsForm,
  SEARCH_TOOLS,
} from './search-tools.ts'
import { type ToolEntries, type ToolEntry, getDefinition, indexTools } from './tool-entry.ts'
import { traceCalls } from './trace-calls.ts'

/** Options of `createToolExecutor`. */
export interface ToolExecutorOptions {
  /** The tools with their settings. Names are unique. */
  tools: readonly ToolEntry[]
  /** Called first for tools of policy `ask` or `unattended`: rules that allow a call, ask about it or deny it; see `decideByRules`. Default: the policy decides. */
  decide?: ApplyRules
  /** Called for calls that need a person. Absent: such calls are denied. */
  approve?: ApproveCall
  /**
   * How parallel calls ask people. `in-turn`: one thing at a time for each person (`personId` of the context), or for each conversation if no person is
   * named, as a person at a screen needs it. Other conversations do not wait. `at-once`: the ports are called in parallel, because they have their own
   * order. Default: `in-turn`.
   */
  askPeople?: 'in-turn' | 'at-once'
  /**
   * Receives every question of a tool before it is asked, and then its answer, with the conversation: the ids of events and calls are unique only in it.
   * A rejection fails the call.
   */
  recordInquiry?: (
    event: InquiryEvent,
    origin: Pick<AskingCall, 'conversationId'>,
  ) => void | Promise<void>
  /** Wraps each wait of a call for a person. Default: no wrapper. */
  wrapWait?: WrapWait
  /** Limits of running calls of stateful tools: their number, their idle time and their input. */
  limits?: HandleLimits
  /**
   * The number of tools without `defer` above which these are deferred: a model finds them with the built-in tool `search_tools`. Default: tools are
   * never deferred because of their number.
   */
  deferAbove?: number
  /** How a model calls deferred tools that it has found. Default: `call-tool`. */
  foundTools?: FoundToolsForm
  /**
   * Which text of a tool a model receives with its definition, if the tool has both. With `description`, the built-in tool `describe_tools` is added
   * only for examples. Default: `summary`.
   */
  receivedText?: ReceivedText
  /**
   * How `definitions` describe the actions of stateful tools. Providers refuse `oneOf` at the root of a schema; use `flat` for definitions that go
   * to a model. Default: `oneOf`.
   */
  liveSchema?: LiveSchemaForm
  /** Reports calls, by OpenTelemetry's conventions for GenAI. Default: nothing is reported. */
  telemetry?: Telemetry
}

/** Runs the calls of a set of tools. */
export interface ToolExecutor {
  /**
   * Returns the tools that a model may call now, in the given order, and the built-in tools: `await` if a tool is stateful, `describe_tools` if a
   * tool has more than a model receives, `search_tools` (and `call_tool`) if a tool is deferred. Deferred tools are omitted, except those that `found` names, which
   * come last, in that order.
   */
  definitions(foundNames?: readonly string[]): readonly ToolDefinition[]
  /** Runs one call from start to end. Never rejects because of a tool, a model or a person. */
  execute: ExecuteCall
  /**
   * Returns whether a call may run, without a person and without running it: for a host that asks people itself, and then gives their decision as
   * `approval` of the call's context. The tool formats a call that needs approval. Never rejects because of a tool or a rule.
   */
  getPermission(call: ToolCall, context: CallContext): Promise<CallPermission>
  /**
   * Asks people the questions that a running call waits for (`metadata.handle.asks` is `user`), or takes answers from the configuration, and
   * applies the answers. A host calls it with each result until it returns `undefined`. The host records and delivers each returned call and result
   * like any other: one interaction, one result. The call has its own id, `_meta` (`META_MADE_BY`) says that the host made it, and its arguments
   * hold the answers without secrets. `undefined`: no question waits for a person, or nobody could answer and `context.unanswered` is `return`, or
   * `context.signal` aborted first; the question then keeps waiting. Never rejects because of a tool or a person.
   */
  answerWaiting(result: ToolResult, context: CallContext): Promise<AnsweredLiveCall | undefined>
  /**
   * Replaces all tools for later calls. A running call keeps its tool; a running stateful call continues under an entry of the same name. Throws
   * like `createToolExecutor`; then the tools do not change.
   */
  setTools(tools: readonly ToolEntry[]): void
  /** Ends a turn of a conversation: aborts its running stateful calls, except those of tools with `onTurnEnd: 'keep'`. */
  endTurn(conversationId?: string): Promise<void>
  /** Aborts all running stateful calls. */
  close(): Promise<void>
}

/**
 * Creates an executor. For each call, it finds the tool, completes and checks the arguments, decides whether the call may run, runs the tool, gets its questions
 * answered and completes the metadata of the result. Calls may run in parallel.
 *
 * @throws {@link ToolExecutorError} with code `duplicate-tool` or `bad-entry`.
 */
export function createToolExecutor(options: ToolExecutorOptions): ToolExecutor {
  requireArguments('createToolExecutor(options)', [options, { tools: 'iterable' }])
  requireChoices('createToolExecutor(options)', 'options', options, {
    askPeople: ['in-turn', 'at-once'],
    foundTools: ['listed', 'call-tool'],
    receivedText: ['summary', 'description'],
    liveSchema: ['flat', 'oneOf'],
  })
  const { decide, approve, recordInquiry, liveSchema: form = 'oneOf' } = options
  const { deferAbove = Infinity, foundTools = 'call-tool', receivedText = 'summary' } = options
  const live = createLiveCalls(options.limits ?? {})
  const people = createQueues(options.askPeople === 'at-once' ? Infinity : 1)
  const createAskInTurn = (callId: string, context: CallContext): AskInTurn => {
    const { conversationId, personId } = context
    const key = JSON.stringify(personId === undefined ? { conversationId } : { personId })
    const asking: AskingCall = { callId, ...(conversationId !== undefined && { conversationId }) }
    return async (work, leaving) => {
      const { signal, whenAborted: whenLate } = leaving
      // A tool that does not settle after an abort does not block other calls.
      const bounded = async () => await withinGrace(work, { signal, ms: PORT_GRACE_MS, whenLate })
      const askPeople = async () => await people(key, bounded, leaving)
      return await (options.wrapWait?.(asking, askPeople) ?? askPeople())
    }
  }
  const awaiting: ToolEntry = { tool: createAwaitTool(live), policy: 'unattended' }
  const describing: ToolEntry = {
    tool: createDescribeTools(() => own.map(({ tool }) => tool)),
    policy: 'unattended',
  }
  /** Adds the built-in tools, and decides which tools are deferred. */
  function prepare(tools: readonly ToolEntry[]): PreparedTools {
    const known = indexTools(tools)
    const isMany = tools.filter(({ defer }) => defer === undefined).length > deferAbove
    // A tool with the name of a built-in one that finds others is kept, and then all are listed.
    const canSearch = !known.has(SEARCH_TOOLS) && !known.has(CALL_TOOL)
    // A page of its server calls a tool for pages by its name, and no model finds it.
    const deferred = canSearch
      ? tools.filter(({ tool, defer = isMany }) => defer && !isForAppsOnly(tool))
      : []
    const entries = indexTools([
      ...tools,
      ...(tools.some(({ tool }) => tool.spawn) && !known.has(AWAIT_DEFINITION.name)
        ? [awaiting]
        : []),
      ...(tools.some(({ tool }) => hasMore(tool, receivedText)) && !known.has(DESCRIBE_TOOLS)
        ? [describing]
        : []),
      ...(deferred.length > 0 ? createSearchEntries(deferred, { form, foundTools }) : []),
    ])
    const names = new Set(deferred.map(({ tool }) => tool.name))
    const listed = [...entries.values()].filter(({ tool }) => !names.has(tool.name))
    return {
      entries,
      deferred: names,
      listed: listed.map(({ tool }) => getDefinition(tool, form)),
    }
  }
  let own = options.tools
  let prepared = prepare(own)
  const execution = (): Execution => ({
    ...prepared,
    foundTools,
    receivedText,
    decide,
    approve,
    people: createAskInTurn,
    record:
      ({ conversationId }) =>
      async (event) =>
        await recordInquiry?.(event, conversationId === undefined ? {} : { conversationId }),
    live,
  })

  const execute: ExecuteCall = async (call, context) =>
    await executeCall(call, execution(), context)
  const { telemetry } = options
  const isKnown = (name: string): boolean => prepared.entries.has(name)

  return {
    definitions: (foundNames = []) => {
      const { entries, deferred, listed } = prepared
      if (foundNames.length === 0) return listed
      const also = [...new Set(foundNames)].flatMap((name) =>
        deferred.has(name) ? (entries.get(name) ?? []) : [],
      )
      return [...listed, ...also.map(({ tool }) => getDefinition(tool, form))]
    },
    execute: telemetry ? traceCalls(execute, { telemetry, isKnown }) : execute,
    getPermission: async (call, context) => await getPermission(call, execution(), context),
    answerWaiting: async (result, context) => await answerWaiting(result, execution(), context),
    setTools: (tools) => {
      prepared = prepare(tools)
      own = tools
    },
    endTurn: live.endTurn,
    close: live.close,
  }
}

/** The tools of an executor with the built-in ones. */
interface PreparedTools {
  entries: ToolEntries
  /** The names of the tools that are not listed. */
  deferred: ReadonlySet<string>
  /** The definitions of the listed tools. */
  listed: readonly ToolDefinition[]
}

/** Creates the built-in tools by which a model finds and calls deferred tools. */
function createSearchEntries(
  deferred: readonly ToolEntry[],
  { form, foundTools }: { form: LiveSchemaForm; foundTools: FoundToolsForm },
): readonly ToolEntry[] {
  const tools = deferred.map(({ tool, source }) => ({
    definition: getDefinition(tool, form),
    source,
  }))
  return [
    createSearchTools(tools, foundTools),
    ...(foundTools === 'call-tool' ? [createCallTool()] : []),
  ].map((tool) => ({ tool, policy: 'unattended', source: 'builtin' }))
}
