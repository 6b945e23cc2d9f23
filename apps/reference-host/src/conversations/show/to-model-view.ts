import { type History, type HistoryEntry, projectHistory } from '@toolblocks/conversation-store'
import type { FormatOptions } from '@toolblocks/formatter'

/** A history as a model is given it: results in the text that was delivered, or that is written where none is recorded. */
export async function toModelView(
  history: Pick<History, 'entries'>,
  format: FormatOptions,
): Promise<readonly HistoryEntry[]> {
  // The formatter is loaded only where a model's view is asked for.
  const { formatResult } = await import('@toolblocks/formatter')
  return projectHistory(history).entries.map((projected) => {
    const { text, compacted: _compacted, deliveries: _deliveries, ...entry } = projected
    if (entry.event.type !== 'tool_result') return entry
    const { id, isError } = entry.event.result
    const given = text ?? formatResult(entry.event.result, format)
    const content = [{ type: 'text', text: given }] as const
    const result = { ...(id !== undefined && { id }), content, isError }
    return { ...entry, event: { type: 'tool_result', result } }
  })
}
