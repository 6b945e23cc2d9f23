import { toolblocks } from './command.ts'

/** All events that the store of a folder has of its newest conversation, as `conversations export` writes them. */
export async function keptEvents(folder: string): Promise<readonly KeptEvent[]> {
  const listed = await toolblocks(folder, 'conversations', 'list', '--output', 'json')
  const [{ id }] = JSON.parse(listed.stdout).conversations
  const kept = await toolblocks(folder, 'conversations', 'export', id, '--format', 'jsonl')
  return kept.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).event)
}

/** One event of a conversation. */
export interface KeptEvent {
  type: string
  [field: string]: unknown
}
