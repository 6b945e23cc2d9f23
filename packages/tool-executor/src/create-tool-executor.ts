import type { RecordInquiry } from '@toolblocks/inquiry'
import type {
  CallContext,
  CallTool,
  ToolCall,
  ToolDefinition,
  ToolResult,
} from '@toolblocks/protocol'
import { createAwaitTool } from './handles/await-tool.ts'
import { createLiveCalls } from './handles/create-live-calls.ts'
import type { HandleLimits } from './handles/handle.ts'
import type { LiveSchemaForm } from './handles/live-schema.ts'
import type { ApproveCall } from './permission/approve-call.ts'
import { createQueue } from './queue.ts'
import { completeResult } from './results/complete-result.ts'
import { settleCall } from './settle-call.ts'
import { definitionOf } from './tools/definition-of.ts'
import { indexTools, unknownTool } from './tools/find-tool.ts'
import type { ToolEntry } from './tools/tool-entry.ts'

/** What an executor is made of. */
export interface ToolExecutorOptions {
  tools: readonly ToolEntry[]
  /** Asked for tools of policy `ask`. Absent: such calls are denied. A person is asked one thing at a time. */
  approve?: ApproveCall
  /** Gets every question of a tool before it is asked, and what came of it. */
  recordInquiry?: RecordInquiry
  /** How many live calls there may be, and how long unused. */
  limits?: HandleLimits
  /** How `definitions` describe the actions of live tools. Default: `oneOf`. */
  liveSchema?: LiveSchemaForm
}

/** Tools behind one door. */
export interface ToolExecutor {
  /** What a model may call, in the order given; with a live tool also the built-in `await`. */
  readonly definitions: readonly ToolDefinition[]
  /** Runs one call from start to end. Never rejects for anything a tool, model or person did. */
  execute: CallTool
  /** Ends a turn of a conversation: its live calls are aborted, but for those of tools with `onTurnEnd: 'keep'`. */
  endTurn(conversationId?: string): Promise<void>
  /** Aborts all live calls. */
  close(): Promise<void>
}

/**
 * Makes an executor: it finds the tool, completes and checks the arguments, asks for permission, runs the tool, has its
 * questions answered and says what is known of the result. Calls may run side by side.
 *
 * @throws {@link ToolExecutorError} with code `duplicate-tool` or `reserved-parameter`.
 */
export function createToolExecutor(options: ToolExecutorOptions): ToolExecutor {
  const live = createLiveCalls(options.limits ?? {})
  const isLive = options.tools.some(({ tool }) => tool.spawn)
  const builtIn: ToolEntry = {
    tool: createAwaitTool(live),
    policy: 'unattended',
    source: 'builtin',
  }
  const tools = isLive ? [...options.tools, builtIn] : options.tools
  const entries = indexTools(tools)
  const people = createQueue()
  const approve = options.approve && people(options.approve)

  async function execute(call: ToolCall, context: CallContext): Promise<ToolResult> {
    const entry = entries.get(call.name)
    const { recordInquiry } = options
    const { result, warnings } = entry
      ? await settleCall(call, { entry, approve, people, recordInquiry, live, context })
      : { result: unknownTool(call.name, entries), warnings: [] }
    return completeResult(result, call, { root: context.root, warnings })
  }

  return {
    definitions: tools.map(({ tool }) => definitionOf(tool, options.liveSchema ?? 'oneOf')),
    execute,
    endTurn: live.endTurn,
    close: live.close,
  }
}
