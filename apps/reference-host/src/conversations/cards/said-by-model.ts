import type { ContentBlock, ToolResult } from '@toolblocks/protocol'

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
