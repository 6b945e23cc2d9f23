import type { ToolResult } from '@toolblocks/protocol'
import type { Model, ModelTurn } from './model.ts'

/** A turn that is fixed beforehand, and when it is left out. */
export interface ScriptedTurn extends ModelTurn {
  /** Judges by the results of the turn before. Default: it is never left out. */
  isNeeded?: (results: readonly ToolResult[]) => boolean
}

/** A model that says fixed turns: no network, no key, the same every time. */
export function createScriptedModel(turns: readonly ScriptedTurn[]): Model {
  const rest = turns.values()
  return async (results) => {
    for (const { isNeeded = () => true, ...turn } of rest) if (isNeeded(results)) return turn
    return { text: '', calls: [] }
  }
}
