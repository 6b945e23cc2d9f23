import type { RecordInquiry } from '@toolblocks/inquiry'
import {
  type CallContext,
  type ExecuteCall,
  createQueue,
  PORT_GRACE_MS,
  type ToolDefinition,
  type ToolResult,
  withinGrace,
} from '@toolblocks/protocol'
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

/** What an executor is made of. */
export interface ToolExecutorOptions {
  /** With their settings; names are unique. */
  tools: readonly ToolEntry[]
  /** Asked first for tools of policy `ask`: rules that need no person. Default: none is allowed so. */
  allow?: AllowCall
  /** Asked for tools of policy `ask`. Absent: such calls are denied. A person is asked one thing at a time. */
  approve?: ApproveCall
  /** Gets every question of a tool before it is put, and what came of it. A rejection fails the call. */
  recordInquiry?: RecordInquiry
  /** Put around each wait of a call for a person. Default: nothing is. */
  aroundWait?: WrapWait
  /** How many live calls there may be, how long unused, and how much each is given. */
  limits?: HandleLimits
  /** How `definitions` describe the actions of live tools. Providers refuse `oneOf` at the root: `flat` is for definitions that go to a model. Default: `oneOf`. */
  liveSchema?: LiveSchemaForm
}

/** Tools behind one door. */
export interface ToolExecutor {
  /** What a model may call now, in the order given, and the built-in tools: `await` with a live tool, `describe_tools` where there is more to say than a summary. */
  definitions(): readonly ToolDefinition[]
  /** Runs one call from start to end. Never rejects for anything a tool, model or person did. */
  execute: ExecuteCall
  /**
   * Asks people what the live call of this result waits for (`metadata.handle.asks` is `user`), or takes the answers of the configuration, and
   * gives them to it. A host calls it with each result until it gives `undefined`, and records and delivers each pair as it does other
   * calls and their results: one interaction, one result. The call has an id of its own, says in `_meta` (`META_MADE_BY`) that the host made it, and
   * carries the answers, but for secrets. `undefined`: nothing waits for a person, or nobody could answer and `context.unanswered` is
   * `return`, or `context.signal` aborted first; what waits goes on waiting then. Never rejects for anything the tool or a person did.
   */
  answerWaiting(result: ToolResult, context: CallContext): Promise<AnsweredLiveCall | undefined>
  /**
   * Replaces all tools, for calls from now on: one that runs keeps its tool, and a live call goes on under an entry of the same
   * name. Throws as `createToolExecutor` does; then nothing has changed.
   */
  setTools(tools: readonly ToolEntry[]): void
  /** Ends a turn of a conversation: its live calls are aborted, but for those of tools with `onTurnEnd: 'keep'`. */
  endTurn(conversationId?: string): Promise<void>
  /** Aborts all live calls. */
  close(): Promise<void>
}

/**
 * Makes an executor: it finds the tool, completes and checks the arguments, asks for permission, runs the tool, has its
 * questions answered and says what is known of the result. Calls may run side by side.
 *
 * @throws {@link ToolExecutorError} with code `duplicate-tool` or `bad-entry`.
 */
export function createToolExecutor(options: ToolExecutorOptions): ToolExecutor {
  const { allow, approve, recordInquiry: record = () => {}, liveSchema: form = 'oneOf' } = options
  const live = createLiveCalls(options.limits ?? {})
  const people = createQueue()
  const inTurn =
    (call: string): AskInTurn =>
    async (work, leaving) => {
      const { signal, whenAborted: whenLate } = leaving
      // Who does not settle after an abort keeps nobody else waiting.
      const bounded = async () => await withinGrace(work, { signal, ms: PORT_GRACE_MS, whenLate })
      const asked = async () => await people(bounded, leaving)
      return await (options.aroundWait?.(call, asked) ?? asked())
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
    people: inTurn,
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
