import type { Tool, ToolCall, ToolContext } from '@toolblocks/protocol'
import { type DefinedTool, getParts } from './run/defined-tool.ts'
import { formatCall, runCall } from './run/run-call.ts'
import { formatLogEntry, type GivenCall, type LogLevel } from './run/tool-context.ts'

/** How a tool is called in the process of its host. */
export interface ToToolOptions {
  /** Gets what the tool writes with `context.log`. Default: the message is reported as progress of the call. */
  readonly onLog?: (level: LogLevel, message: string) => void
}

/**
 * Makes a `Tool` that a host calls in its own process, with the same checks, questions and results as a program. Progress goes to `onProgress` of the call's
 * `ToolContext`, and a stateful tool asks through `ask` while it stays alive. Throws a `ToolDefinitionError` for a value that `defineTool` did not make.
 */
export function toTool(defined: DefinedTool, { onLog }: ToToolOptions = {}): Tool {
  const parts = getParts(defined)
  const { definition, description, formatArguments, work } = parts
  return {
    ...definition,
    execute: async (call, context) =>
      await runCall(parts, createGivenCall(call, context, onLog), {
        ...(context.ask && { ask: context.ask }),
      }),
    ...(formatArguments && {
      formatArguments: async (call, context) =>
        await formatCall(parts, createGivenCall(call, context, onLog)),
    }),
    ...(work.stateful && {
      spawn: async (call, context) => {
        const { spawnCall } = await import('./run/start-live-run.ts')
        let hasStarted = false
        try {
          return await spawnCall(parts, createGivenCall(call, context, onLog), () => hasStarted)
        } finally {
          hasStarted = true
        }
      },
    }),
    ...(description.actions && { actions: description.actions }),
  }
}

function createGivenCall(
  call: ToolCall,
  context: ToolContext,
  onLog: ToToolOptions['onLog'],
): GivenCall {
  const { signal, root, answers, options = {}, workspaceId, conversationId, onProgress } = context
  return {
    call,
    answers,
    options,
    root,
    signal,
    ...(workspaceId !== undefined && { workspaceId }),
    ...(conversationId !== undefined && { conversationId }),
    reports: {
      progress: (report) => onProgress?.(report),
      log: onLog ?? ((level, message) => onProgress?.({ message: formatLogEntry(level, message) })),
    },
  }
}
