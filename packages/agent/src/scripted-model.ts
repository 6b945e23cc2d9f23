import type { ModelMessage } from '@toolblocks/formatter'
import type { ToolCall, ToolResult } from '@toolblocks/protocol'
import type { Model } from './model.ts'

/** What a model says, and the calls it wants made. No calls: the conversation rests. */
export interface ScriptedTurn {
  text: string
  calls: readonly ToolCall[]
  /** Judges by the results of the turn before. Default: it is never left out. */
  isNeeded?: (results: readonly ToolResult[]) => boolean
}

/** A model that says fixed turns: no network, no key, the same every time. */
export function createScriptedModel(turns: readonly ScriptedTurn[]): Model {
  const rest = turns.values()
  return async function* answer({ messages }) {
    const { text, calls } = next(rest, lastResults(messages))
    if (text !== '') yield { type: 'text', text }
    const content = text === '' ? [] : [{ type: 'text' as const, text }]
    yield { type: 'message', message: { role: 'assistant', content, calls } }
  }
}

function next(rest: Iterator<ScriptedTurn>, results: readonly ToolResult[]): ScriptedTurn {
  for (let turn = rest.next(); !turn.done; turn = rest.next())
    if (turn.value.isNeeded?.(results) ?? true) return turn.value
  return { text: '', calls: [] }
}

function lastResults(messages: readonly ModelMessage[]): readonly ToolResult[] {
  const last = messages.at(-1)
  return last?.role === 'tool' ? last.results.map(({ result }) => result) : []
}
