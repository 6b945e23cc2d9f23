import {
  createErrorResult,
  isToolResult,
  type CallContext,
  type CallTool,
  type Problem,
  type ToolCall,
  type ToolContext,
  type ToolDefinition,
  type ToolResult,
} from '@toolblocks/protocol'
import { checkArguments, describeBadArguments } from './arguments/check-arguments.ts'
import { coerceArguments } from './arguments/coerce-arguments.ts'
import { fillDefaults } from './arguments/fill-defaults.ts'
import { indexTools, unknownTool } from './find-tool.ts'
import { oneAtATime } from './one-at-a-time.ts'
import type { ApproveCall } from './permission/approve-call.ts'
import { permitCall } from './permission/permit-call.ts'
import { completeResult } from './results/complete-result.ts'
import { endUnanswered } from './results/unanswered.ts'
import type { ToolEntry } from './tool-entry.ts'

/** What an executor is made of. */
export interface ToolExecutorOptions {
  tools: readonly ToolEntry[]
  /** Asked for tools of policy `ask`; absent: their calls are denied. */
  approve?: ApproveCall
}

/** Tools behind one door. */
export interface ToolExecutor {
  /** What a model may call: no tool of policy `deny` or `skip` is left out, so that a model learns why. */
  readonly definitions: readonly ToolDefinition[]
  /** Runs one call from start to end. Never rejects for anything a tool, model or person did. */
  execute: CallTool
}

/**
 * Makes an executor: it finds the tool, checks and completes the arguments, asks for permission, runs the tool and
 * says what is known of the result. Calls may run side by side.
 *
 * @throws {@link ToolExecutorError} with code `duplicate-tool` when two tools share a name.
 */
export function createToolExecutor(options: ToolExecutorOptions): ToolExecutor {
  const entries = indexTools(options.tools)
  const approve = options.approve && oneAtATime(options.approve)
  const definitions = options.tools.map(({ tool }) => definitionOf(tool))

  async function execute(call: ToolCall, context: CallContext): Promise<ToolResult> {
    const entry = entries.get(call.name)
    if (!entry)
      return completeResult(unknownTool(call.name, entries), call, {
        root: context.root,
        warnings: [],
      })
    const { result, warnings } = await settle(call, { entry, approve, context })
    return completeResult(result, call, { root: context.root, warnings })
  }

  return { definitions, execute }
}

interface Settling {
  entry: ToolEntry
  approve: ApproveCall | undefined
  context: CallContext
}

interface Settled {
  result: ToolResult
  warnings: readonly Problem[]
}

/** Errors of ports and tools become results here, so that one call never takes its siblings down. */
async function settle(call: ToolCall, settling: Settling): Promise<Settled> {
  const { entry, approve, context } = settling
  try {
    const prepared = prepareCall(call, entry)
    if (!prepared.ok) return { result: prepared.result, warnings: [] }
    const toolContext = toToolContext(context, entry)
    const permission = await permitCall(prepared.call, entry, { approve, context: toolContext })
    if (!permission.permitted) return { result: permission.result, warnings: prepared.warnings }
    const permitted = permission.edited ? prepareCall(permission.call, entry) : prepared
    if (!permitted.ok) return { result: permitted.result, warnings: [] }
    const result = await runTool(permitted.call, entry, toolContext)
    return {
      result: endUnanswered(result, context.unanswered ?? 'fail'),
      warnings: permitted.warnings,
    }
  } catch (error) {
    return { result: brokenTool(call, error, context.signal), warnings: [] }
  }
}

type PreparedCall =
  | { ok: true; call: ToolCall; warnings: readonly Problem[] }
  | { ok: false; result: ToolResult }

function prepareCall(given: ToolCall, entry: ToolEntry): PreparedCall {
  const { inputSchema } = entry.tool
  const call = entry.source?.startsWith('mcp.')
    ? given
    : { ...given, arguments: fillDefaults(coerceArguments(given.arguments, inputSchema), inputSchema) }
  const { verdict, problems } = checkArguments(call, inputSchema)
  switch (verdict) {
    case 'valid':
      return { ok: true, call, warnings: [] }
    case 'unchecked':
      return { ok: true, call, warnings: problems.map(asUnchecked) }
    case 'invalid':
      return {
        ok: false,
        result: createErrorResult(describeBadArguments(call, problems), undefined, {
          outcome: 'failed',
        }),
      }
  }
}

function asUnchecked(problem: Problem): Problem {
  return {
    ...problem,
    code: 'arguments-unchecked',
    message: `The arguments were not checked: ${problem.message}`,
  }
}

function toToolContext(context: CallContext, entry: ToolEntry): ToolContext {
  const { ask: _ports, answers, unanswered: _unanswered, ...shared } = context
  return { ...shared, answers: answers ?? {}, ...(entry.options && { options: entry.options }) }
}

async function runTool(call: ToolCall, entry: ToolEntry, context: ToolContext): Promise<ToolResult> {
  const result: unknown = await entry.tool.execute(call, context)
  if (isToolResult(result)) return result
  return createErrorResult(
    `The tool "${call.name}" answered with something that is no tool result; expected {content: [...], isError}.`,
    undefined,
    { outcome: 'failed' },
  )
}

function brokenTool(call: ToolCall, error: unknown, signal: AbortSignal): ToolResult {
  const message = error instanceof Error ? error.message : String(error)
  return createErrorResult(`The call of "${call.name}" failed: ${message}`, undefined, {
    outcome: signal.aborted ? 'cancelled' : 'failed',
  })
}

function definitionOf(tool: ToolDefinition): ToolDefinition {
  const { name, title, summary, description, inputSchema, outputSchema } = tool
  const { annotations, icons, _meta } = tool
  return {
    name,
    ...(title !== undefined && { title }),
    ...(summary !== undefined && { summary }),
    ...(description !== undefined && { description }),
    inputSchema,
    ...(outputSchema !== undefined && { outputSchema }),
    ...(annotations && { annotations }),
    ...(icons && { icons }),
    ...(_meta && { _meta }),
  }
}
