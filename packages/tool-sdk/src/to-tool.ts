import type { Tool, ToolCall, ToolContext } from '@toolblocks/protocol'
import type { DefinedTool, GivenRun } from './run/defined-tool.ts'
import { spawnCall } from './run/start-live-run.ts'
import { formatCall, runCall } from './run/run-call.ts'

/** Makes a defined tool one that a host calls in its own process: the same checks, questions and results, without a program. A stateful one asks through `context.ask` while it stays
 * alive. */
export function toTool(defined: DefinedTool): Tool {
  const { definition, description, formatArguments, work } = defined
  return {
    ...definition,
    execute: (call, context) =>
      runCall(defined, givenRun(call, context), { call, ...(context.ask && { ask: context.ask }) }),
    ...(formatArguments && {
      formatArguments: (call, context) => formatCall(defined, givenRun(call, context)),
    }),
    ...(work.stateful && { spawn: (call, context) => spawnCall(defined, givenRun(call, context)) }),
    ...(description.actions && { actions: description.actions }),
  }
}

function givenRun(call: ToolCall, context: ToolContext): GivenRun {
  const { signal, root, answers, options = {}, workspaceId, conversationId } = context
  return {
    name: call.name,
    arguments: call.arguments,
    answers,
    options,
    root,
    signal,
    ...(workspaceId !== undefined && { workspaceId }),
    ...(conversationId !== undefined && { conversationId }),
  }
}
