import type { StoredEvent } from '@toolblocks/conversation-store'
import type { ContentBlock } from '@toolblocks/protocol'

/** The uris of files that people have attached. */
export function attachedFiles(events: readonly StoredEvent[]): ReadonlySet<string> {
  return new Set(
    events.flatMap(({ event }) => (event.type === 'user_message' ? filesOf(event.content) : [])),
  )
}

/** The uris of files in a message. */
export function filesOf(content: readonly ContentBlock[]): readonly string[] {
  return content.flatMap((block) =>
    block.type === 'resource' && block.resource.uri.startsWith('file:') ? [block.resource.uri] : [],
  )
}
