import { isJsonObject, type JsonObject, META_WARNINGS, type ToolResult } from '@toolblocks/protocol'
import { toCallToolResult } from '../results/from-call-tool-result.ts'
import { type Era, toStrictResult } from '../results/strict-result.ts'

/** A result for a client of MCP; one that ended on a question says how to settle it. */
export function toServedResult(
  result: ToolResult,
  { canAsk, era }: { canAsk: boolean; era: Era },
): JsonObject {
  const strict = toStrictResult(withWarnings(toCallToolResult(result), result), era)
  if (result.metadata?.outcome !== 'unanswered') return strict
  const content = Array.isArray(strict['content']) ? strict['content'] : []
  const text = canAsk
    ? 'This tool asks a question that was not answered. Call it again when somebody can answer.'
    : 'This tool asks a question, and this client cannot ask its user (MCP elicitation). Answer it in the configuration of the server, or use a client that can.'
  return { ...strict, isError: true, content: [...content, { type: 'text', text }] }
}

/** Whoever wrote the tool may look at it from here: what was skipped or misread is said there too. */
function withWarnings(served: JsonObject, { metadata }: ToolResult): JsonObject {
  const { warnings = [] } = metadata ?? {}
  if (warnings.length === 0) return served
  const { _meta: meta } = served
  return { ...served, _meta: { ...(isJsonObject(meta) && meta), [META_WARNINGS]: warnings } }
}
