import { normalizeResultValue, type ToolResult } from '@toolblocks/protocol'
import { summarizeResult } from './summarize-result.ts'

/** What one result of a turn came to. */
export interface OverviewLine {
  /** Place of the result among those given, from 0. */
  index: number
  summary: string
  /** As its tool suggests; 0 where it says nothing. */
  priority: number
}

/** The results of one turn in one line each, most prominent first, else in their order. A timeline keeps the order of calls. */
export function showOverview(results: readonly ToolResult[]): readonly OverviewLine[] {
  return results
    .map((result, index) => ({
      index,
      summary: summarizeResult(result),
      priority: normalizeResultValue(result.structuredContent)?.display?.priority ?? 0,
    }))
    .toSorted((one, other) => other.priority - one.priority)
}
