import type { AgentDefinition, DeliveryLimits, ModelSettings } from '@toolblocks/agent'
import type { FormatOptions } from '@toolblocks/formatter'
import { MAX_RESULT_LENGTH } from '@toolblocks/protocol/internal'
import type { Configuration } from './configuration.ts'
import type { AgentConfiguration, AnsweringModel } from './table-schemas.ts'

/** Returns the settings for requests to a model from a table of the configuration. */
export function modelSettings({
  instructions,
  max_output_tokens: maxOutputTokens,
}: Omit<AnsweringModel, 'name'>): ModelSettings {
  return {
    ...(instructions !== undefined && { instructions }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
  }
}

/** Returns the settings of `[deduplication]` and `[budget]`. */
export function deliveryLimits({
  deduplication: { enabled, min_bytes: minBytes, lookback_turns: lookbackTurns },
  budget: { per_result: perResult, per_turn: perTurn },
}: Pick<Configuration, 'budget' | 'deduplication'>): DeliveryLimits {
  return {
    ...(enabled !== undefined && { deduplicate: enabled }),
    ...(minBytes !== undefined && { minBytes }),
    ...(lookbackTurns !== undefined && { lookbackTurns }),
    ...(perResult !== undefined && { perResult: toLength(perResult) }),
    ...(perTurn !== undefined && { perTurn: toLength(perTurn) }),
  }
}

/** Returns the maximum length of one result, from `[budget]`. */
export function maxResultLength({ budget }: Pick<Configuration, 'budget'>): number {
  return toLength(budget.per_result ?? MAX_RESULT_LENGTH)
}

function toLength(limit: number | 'all'): number {
  return limit === 'all' ? Infinity : limit
}

/** Number of tools above which they are deferred. */
export const DEFER_ABOVE = 100

/** Returns the number of tools above which they are deferred, from `[tool_search]`. */
export function deferAbove({
  tool_search: { defer_above: above },
}: Pick<Configuration, 'tool_search'>): number {
  return above ?? DEFER_ABOVE
}

/** Returns the agents of the tables `[agents.NAME]`. */
export function agentDefinitions(
  agents: Readonly<Record<string, AgentConfiguration>>,
): Readonly<Record<string, AgentDefinition>> {
  return Object.fromEntries(
    Object.entries(agents).map(([name, table]) => {
      const { max_depth: maxDepth, max_tokens: maxTokens, timeout_secs: seconds } = table
      const { summary, tools, model } = table
      const definition: AgentDefinition = {
        summary,
        ...modelSettings(table),
        ...(tools && { tools }),
        ...(model !== undefined && { model }),
        ...(maxTokens !== undefined && { maxTokens }),
        ...(maxDepth !== undefined && { maxDepth }),
        ...(seconds !== undefined && { timeoutMs: seconds * 1000 }),
      }
      return [name, definition]
    }),
  )
}

/** Returns the function that finds after how many milliseconds the questions of a tool expire; `undefined`: they do not. */
export function questionExpiry({
  tools,
  mcp,
  questions,
}: Pick<Configuration, 'tools' | 'mcp' | 'questions'>): (tool: string) => number | undefined {
  return (tool) => {
    const table = [tools, mcp.tools].find((tables) => Object.hasOwn(tables, tool))?.[tool]
    const seconds = table?.questions_expire_secs ?? questions?.expire_secs
    return seconds === undefined ? undefined : seconds * 1000
  }
}

/** Returns the format of results for a model, from `[format]`. */
export function formatOptions({
  format: { structured, resource_header: resourceHeader = 'name', error_trace: errorTrace = true },
  root,
}: Pick<Configuration, 'format' | 'root'>): FormatOptions & { root: string } {
  return { root, resourceHeader, errorTrace, ...(structured && { structured }) }
}
