import type { ParsedServerResult } from '@toolblocks/parser'
import type { BlobRef, JsonSchema, Problem, ToolResult } from '@toolblocks/protocol'
import type { BridgeProblem } from '../bridge-problem.ts'
import { checkStructuredContent } from './check-structured-content.ts'
import type { RunningCall } from './running-calls.ts'

/** A result as it was read, and what it was read from. */
export interface ReadResult {
  parsed: Extract<ParsedServerResult, { kind: 'complete' }>
  raw: unknown
  schema: JsonSchema | undefined
}

/** Whether there is nothing to add to a result: the rule for nearly all, which nobody has to wait for. */
export function isAsSaid({ parsed, schema }: Omit<ReadResult, 'raw'>): boolean {
  return parsed.reversible && schema === undefined
}

/** Adds to a result what is known beside it: whether it keeps its tool's promise, and the original where the blocks cannot give it back. */
export async function completeResult(
  { parsed, raw, schema }: ReadResult,
  running: RunningCall,
): Promise<ToolResult> {
  const { result, reversible } = parsed
  const broken = checkStructuredContent(result, schema)
  const kept = reversible ? {} : await keepRaw(raw, running)
  const warnings: readonly Problem[] = [
    ...(result.metadata?.warnings ?? []),
    ...broken,
    ...(kept.warning ? [kept.warning] : []),
  ]
  if (warnings.length === 0 && !kept.raw) return result
  return {
    ...result,
    metadata: {
      ...result.metadata,
      ...(warnings.length > 0 && { warnings }),
      ...(kept.raw && { raw: kept.raw }),
    },
  }
}

async function keepRaw(
  raw: unknown,
  { context: { keepBytes }, call }: RunningCall,
): Promise<{ raw?: BlobRef; warning?: BridgeProblem }> {
  if (!keepBytes) return {}
  try {
    const bytes = Buffer.from(JSON.stringify(raw) ?? '', 'utf8')
    return { raw: await keepBytes(bytes, { call: call.id, stream: 'mcp' }) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return {
      warning: {
        path: '',
        message: `The original result was not kept: ${reason}.`,
        code: 'raw-not-kept',
      },
    }
  }
}
