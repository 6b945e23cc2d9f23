import type { Model, ModelTurn } from './model.ts'

/** A model that says fixed turns, whatever comes back: no network, no key, the same every time. */
export function createScriptedModel(turns: readonly ModelTurn[]): Model {
  const rest = turns.values()
  return async () => rest.next().value ?? { text: '', calls: [] }
}
