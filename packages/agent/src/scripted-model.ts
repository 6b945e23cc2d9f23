import { requireArguments } from '@toolblocks/protocol/internal'
import type { ModelMessage } from '@toolblocks/formatter'
import type { ToolCall, ToolResult } from '@toolblocks/protocol'
import type { Model } from './model.ts'

/** The text and the calls of one response. Without calls, the turn is completed. */
export interface ScriptedTurn {
  text: string
  calls: readonly ToolCall[]
  /** Decides from the results of the last turn whether this turn is played. Default: always. */
  isNeeded?: (results: readonly ToolResult[]) => boolean
}

/** Creates a model with fixed responses. It needs no network and no key, and always responds the same. */
export function createScriptedModel(turns: readonly ScriptedTurn[]): Model {
  requireArguments('createScriptedModel(turns)', [turns, 'iterable'])
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
