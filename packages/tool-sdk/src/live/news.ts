import type { ContentBlock, ToolResult } from '@toolblocks/protocol'

/** Blocks that nobody has taken, above which there is no room for more. */
const MOST_BLOCKS = 1000

/** What a stateful tool has shown since somebody looked. */
export interface News {
  add(result: ToolResult): void
  /** Takes everything out. */
  take(): ToolResult
  /** Settles when there is room for more: at once, or when all is taken. */
  room(): Promise<void>
}

/** Makes news that are empty. */
export function createNews(): News {
  let content: ContentBlock[] = []
  let rest: Omit<ToolResult, 'content'> = { isError: false }
  let taken = Promise.withResolvers<void>()
  return {
    add: ({ content: blocks, isError, ...more }) => {
      content.push(...blocks)
      rest = { ...rest, ...more, isError: rest.isError || isError }
    },
    take: () => {
      const result = { ...rest, content }
      content = []
      rest = { isError: false }
      taken.resolve()
      taken = Promise.withResolvers()
      return result
    },
    room: async () => {
      if (content.length >= MOST_BLOCKS) await taken.promise
    },
  }
}
