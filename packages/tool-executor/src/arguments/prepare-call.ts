import {
  createFailure,
  describeBadArguments,
  fillDefaults,
  type JsonObject,
  type Problem,
  type ToolCall,
  type ToolResult,
} from '@toolblocks/protocol'
import type { ToolEntry } from '../tools/tool-entry.ts'
import { checkArguments } from './check-arguments.ts'
import { fitArguments } from './fit-arguments.ts'
import type { ExecutorProblem } from '../executor-problem.ts'

/** The call as it may run, or the result that names what is wrong with it. */
export type PreparedCall =
  | { ok: true; call: ToolCall; warnings: readonly ExecutorProblem[] }
  | { ok: false; result: ToolResult; problems: readonly Problem[] }

/**
 * Fits a call's arguments to the schema, or only fills in the host's own defaults where a server does the rest itself, and checks them. An executor does this with every
 * call; whoever types one may want to know before. The paths of problems start at the arguments.
 */
export async function prepareCall(given: ToolCall, entry: ToolEntry): Promise<PreparedCall> {
  const { inputSchema } = entry.tool
  const call = { ...given, arguments: completeArguments(given.arguments, entry) }
  const { verdict, problems } = await checkArguments(call, inputSchema)
  switch (verdict) {
    case 'valid':
      return { ok: true, call, warnings: [] }
    case 'unchecked':
      return { ok: true, call, warnings: problems.map(asWarning) }
    case 'invalid': {
      const text = describeBadArguments(call.name, problems)
      const result = createFailure(text)
      return { ok: false, result, problems }
    }
  }
}

function completeArguments(
  values: JsonObject,
  { arguments: how, defaults, tool }: ToolEntry,
): JsonObject {
  if (how !== 'as-given') return fitArguments(values, tool.inputSchema)
  return defaults === undefined ? values : fillDefaults(values, defaults)
}

/** The tool is left to check what this side could not; everyone who reads the result learns of it. */
function asWarning({ path, message }: Problem): ExecutorProblem {
  return {
    path: `/arguments${path}`,
    message: `The arguments were not checked: ${message}`,
    code: 'arguments-unchecked',
  }
}
