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

/** The code of the warning that an output was surely meant as a result and is text, because its `content` is missing. */
export const MISSING_CONTENT = 'missing-content'

/** Says whether the text of a result was surely meant as a result itself, and could not be read as one. */
export function isMeantAsResult(result: ToolResult): boolean {
  return (result.metadata?.warnings ?? []).some(({ code }) => code === MISSING_CONTENT)
}
