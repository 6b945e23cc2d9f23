import { toolblocks } from './command.ts'

/** One event of a conversation. */
export interface KeptEvent {
  type: string
  [field: string]: unknown
}

/** All that the store of a folder has of a conversation. */
export interface KeptConversation {
  id: string
  events: readonly KeptEvent[]
}

/** Every conversation of the store of a folder, the newest first, as `conversations export` writes it; `file` is its configuration. */
export async function keptConversations(
  folder: string,
  file = 'toolblocks.toml',
): Promise<readonly KeptConversation[]> {
  const own = ['--config', file]
  const listed = await toolblocks(folder, 'conversations', 'list', '--output', 'json', ...own)
  const ids: readonly string[] = JSON.parse(listed.stdout).conversations.map(
    ({ id }: { id: string }) => id,
  )
  return await Promise.all(
    ids.map(async (id) => {
      const words = ['conversations', 'export', id, '--format', 'jsonl']
      const kept = await toolblocks(folder, ...words, ...own)
      const lines = kept.stdout.trim().split('\n')
      return { id, events: lines.map((line) => JSON.parse(line).event) }
    }),
  )
}

/** The events of the newest one. */
export async function keptEvents(folder: string): Promise<readonly KeptEvent[]> {
  const [newest] = await keptConversations(folder)
  return newest?.events ?? []
}
