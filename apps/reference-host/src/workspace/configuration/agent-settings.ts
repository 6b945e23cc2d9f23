import type { AgentDefinition, DeliveryLimits, ModelSettings } from '@toolblocks/agent'
import type { FormatOptions } from '@toolblocks/formatter'
import type { AgentConfiguration, AnsweringModel, Configuration } from './configuration.ts'

/** Reads what a table of the configuration says of requests to a model. */
export function modelSettings({
  instructions,
  max_output_tokens: maxOutputTokens,
}: Omit<AnsweringModel, 'name'>): ModelSettings {
  return {
    ...(instructions !== undefined && { instructions }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
  }
}

/** What `[deduplication]` and `[budget]` say. */
export function deliveryLimits({
  deduplication: { enabled, min_bytes: minBytes, lookback_turns: lookbackTurns },
  budget: { per_result: perResult, per_turn: perTurn },
}: Pick<Configuration, 'budget' | 'deduplication'>): DeliveryLimits {
  return {
    ...(enabled !== undefined && { deduplicate: enabled }),
    ...(minBytes !== undefined && { minBytes }),
    ...(lookbackTurns !== undefined && { lookbackTurns }),
    ...(perResult !== undefined && { perResult }),
    ...(perTurn !== undefined && { perTurn }),
  }
}

/** What the tables `[agents.NAME]` say. */
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

/** How results are written for a model, as `[format]` says. */
export function formatOptions({
  format: { structured, resource_header: resourceHeader = 'name' },
  root,
}: Pick<Configuration, 'format' | 'root'>): FormatOptions & { root: string } {
  return { root, resourceHeader, ...(structured && { structured }) }
}
