import type { ToolResult } from '@toolblocks/protocol'

/** How many links of one server are remembered; the oldest go first. */
const MAX_LINKS = 10_000

/** The uris that a server's results linked to. */
export interface LinkedUris {
  has(uri: string): boolean
  note(result: ToolResult): void
}

/** Whether a result links to anything. */
export function hasLinks({ content }: ToolResult): boolean {
  return content.some(({ type }) => type === 'resource_link')
}

/** Remembers links: only those are read for a model. */
export function rememberLinks(): LinkedUris {
  const uris = new Set<string>()
  return {
    has: (uri) => uris.has(uri),
    note: ({ content }) => {
      for (const block of content) {
        if (block.type !== 'resource_link') continue
        uris.delete(block.uri)
        uris.add(block.uri)
        const [oldest] = uris
        if (uris.size > MAX_LINKS && oldest !== undefined) uris.delete(oldest)
      }
    },
  }
}
