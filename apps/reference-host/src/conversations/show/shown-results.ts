import type { HistoryEntry } from '@toolblocks/conversation-store'
import type { ContentBlock, ToolResult } from '@toolblocks/protocol'
import { describeEvent } from './describe-event.ts'

/** What of an event is shown by readers, as results; the values of calls never are. */
export function shownResults({ event }: Pick<HistoryEntry, 'event'>): readonly ToolResult[] {
  return describeEvent(event).parts.flatMap((part): readonly ToolResult[] => {
    switch (part.kind) {
      case 'blocks':
        return event.type === 'assistant_message'
          ? saidByModel(part.content)
          : [{ content: part.content, isError: false }]
      case 'result':
        return [part.result]
      case 'values':
        return []
    }
  })
}

/** What a model says, as results: its text is Markdown, other blocks stay as they are. */
export function saidByModel(content: readonly ContentBlock[]): readonly ToolResult[] {
  return content
    .filter((block) => block.type !== 'text' || block.text !== '')
    .map((block): ToolResult => {
      if (block.type !== 'text') return { content: [block], isError: false }
      const display = { preferredView: 'markdown' } as const
      const structuredContent = { kind: 'text', data: { content: block.text }, display }
      return { content: [], isError: false, structuredContent }
    })
}
