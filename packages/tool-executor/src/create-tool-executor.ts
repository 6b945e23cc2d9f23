import type { RecordInquiry } from '@toolblocks/inquiry'
import {
  type CallContext,
  type ExecuteCall,
  type ToolDefinition,
  type ToolResult,
} from '@toolblocks/protocol'
import { createQueue, PORT_GRACE_MS, withinGrace } from '@toolblocks/protocol/limits'
import { DESCRIBE_TOOLS, createDescribeTools, hasMore } from './describe-tools.ts'
import {
  answerWaiting,
  type AnsweredLiveCall,
  executeCall,
  type Execution,
} from './execute-call.ts'
import { createAwaitTool } from './await-tool.ts'
import { createLiveCalls } from './live-calls.ts'
import type { HandleLimits } from './handle.ts'
import type { LiveSchemaForm } from './live-schema.ts'
import type { AllowCall, ApproveCall, WrapWait, AskInTurn } from './permit-call.ts'
import { type ToolEntries, type ToolEntry, getDefinition, indexTools } from './tool-entry.ts'

/** Options of `createToolExecutor`. */
export interface ToolExecutorOptions {
  /** The tools with their settings. Names are unique. */
  tools: readonly ToolEntry[]
  /** Called first for tools of policy `ask`: rules that allow a call without a person. Default: no call is allowed this way. */
  allow?: AllowCall
  /** Called for tools of policy `ask`. Absent: such calls are denied. A person is asked one thing at a time. */
  approve?: ApproveCall
  /** Receives every question of a tool before it is asked, and then its answer. A rejection fails the call. */
  recordInquiry?: RecordInquiry
  /** Wraps each wait of a call for a person. Default: no wrapper. */
  wrapWait?: WrapWait
  /** Limits of running calls of stateful tools: their number, their idle time and their input. */
  limits?: HandleLimits
  /**
   * How `definitions` describe the actions of stateful tools. Providers refuse `oneOf` at the root of a schema; use `flat` for definitions that go
   * to a model. Default: `oneOf`.
   */
  liveSchema?: LiveSchemaForm
}

/** Runs the calls of a set of tools. */
export interface ToolExecutor {
  /**
   * Returns the tools that a model may call now, in the given order, and the built-in tools: `await` if a tool is stateful, `describe_tools` if a
   * tool has more than a summary.
   */
  definitions(): readonly ToolDefinition[]
  /** Runs one call from start to end. Never rejects because of a tool, a model or a person. */
  execute: ExecuteCall
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
 * Creates an executor. For each call, it finds the tool, completes and checks the arguments, asks for permission, runs the tool, gets its questions
 * answered and completes the metadata of the result. Calls may run in parallel.
 *
 * @throws {@link ToolExecutorError} with code `duplicate-tool` or `bad-entry`.
 */
export function createToolExecutor(options: ToolExecutorOptions): ToolExecutor {
  const { allow, approve, recordInquiry: record = () => {}, liveSchema: form = 'oneOf' } = options
  const live = createLiveCalls(options.limits ?? {})
  const people = createQueue()
  const createAskInTurn =
    (call: string): AskInTurn =>
    async (work, leaving) => {
      const { signal, whenAborted: whenLate } = leaving
      // A tool that does not settle after an abort does not block other calls.
      const bounded = async () => await withinGrace(work, { signal, ms: PORT_GRACE_MS, whenLate })
      const askPeople = async () => await people(bounded, leaving)
      return await (options.wrapWait?.(call, askPeople) ?? askPeople())
    }
  const awaiting: ToolEntry = { tool: createAwaitTool(live), policy: 'unattended' }
  const describing: ToolEntry = {
    tool: createDescribeTools(() => own.map(({ tool }) => tool)),
    policy: 'unattended',
  }
  const withBuiltins = (tools: readonly ToolEntry[]): ToolEntries => {
    const given = indexTools(tools)
    return indexTools([
      ...tools,
      ...(tools.some(({ tool }) => tool.spawn) ? [awaiting] : []),
      ...(tools.some(({ tool }) => hasMore(tool)) && !given.has(DESCRIBE_TOOLS)
        ? [describing]
        : []),
    ])
  }
  let own = options.tools
  let entries = withBuiltins(own)
  const execution = (): Execution => ({
    entries,
    allow,
    approve,
    people: createAskInTurn,
    record,
    live,
  })

  return {
    definitions: () => [...entries.values()].map(({ tool }) => getDefinition(tool, form)),
    execute: async (call, context) => await executeCall(call, execution(), context),
    answerWaiting: async (result, context) => await answerWaiting(result, execution(), context),
    setTools: (tools) => {
      entries = withBuiltins(tools)
      own = tools
    },
    endTurn: live.endTurn,
    close: live.close,
  }
}
