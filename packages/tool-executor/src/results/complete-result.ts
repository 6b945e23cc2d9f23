import type { Outcome, Problem, ToolCall, ToolResult } from '@toolblocks/protocol'
import { identifyResources } from './identify-resources.ts'

/** What the executor adds to every result. */
export interface Completion {
  /** Absolute path of the workspace, for the identity of its files. */
  root: string
  /** Known before the tool ran. */
  warnings: readonly Problem[]
}

/** Gives a result the call's id, its outcome, the identity of its resources and every warning. */
export function completeResult(
  result: ToolResult,
  call: ToolCall,
  completion: Completion,
): ToolResult {
  const { resources, problems } = identifyResources(result.content, completion.root)
  const warnings = [...completion.warnings, ...(result.metadata?.warnings ?? []), ...problems]
  const outcome = outcomeOf(result)
  // Resources are what is in the blocks, whatever a tool says of them.
  const { resources: _said, ...metadata } = result.metadata ?? {}
  return {
    ...result,
    id: call.id,
    isError: outcome !== 'completed',
    metadata: {
      ...metadata,
      outcome,
      ...(warnings.length > 0 && { warnings }),
      ...(resources && { resources }),
    },
  }
}

/** `completed` exactly when the result is no error. */
function outcomeOf(result: ToolResult): Outcome {
  const said = result.metadata?.outcome
  if (!result.isError) return said === undefined || said === 'completed' ? 'completed' : said
  return said === undefined || said === 'completed' ? 'failed' : said
}
