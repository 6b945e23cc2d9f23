import type { HistoryEntry } from '@toolblocks/conversation-store'
import type { TerminalText } from '@toolblocks/protocol'
import { joinTerminal } from '@toolblocks/renderer'
import type { Terminal } from '../../terminal/terminal.ts'
import { describeMinute } from './describe-time.ts'
import { type EventView, renderEvent } from './render-event.ts'

/** Writes what happened for a person: a heading for each turn, and below it its events, in their order. */
export function renderTimeline(
  entries: readonly HistoryEntry[],
  terminal: Terminal,
  view: EventView,
): readonly TerminalText[] {
  const { style } = terminal
  return entries.flatMap((entry, index) => {
    const { turn, at, event } = entry
    const isNew = turn > (entries[index - 1]?.turn ?? 0)
    const words = [style.bold(`Turn ${turn}`), style.dim(`${describeMinute(at)} UTC`)]
    return [
      ...(isNew && index > 0 ? [style.plain('')] : []),
      ...(isNew ? [joinTerminal(words, '  ')] : []),
      // The heading has said it.
      ...(event.type === 'turn_start' ? [] : [renderEvent(entry, terminal, view)]),
    ]
  })
}
