import type { Problem } from '../problem.ts'
import type { ToolResult } from './tool-result.ts'

/**
 * The warnings of a result that stand for blocks which could not be read and are not in `content`: those whose path is
 * exactly `/content/<index>` of the document as it came.
 */
export function skippedBlocks(result: ToolResult): readonly Problem[] {
  const warnings = result.metadata?.warnings ?? []
  return warnings.filter(({ path }) => /^\/content\/\d+$/.test(path))
}
