import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ConversationStore } from '@toolblocks/conversation-store'

/** The result of an import of an older conversation. */
export interface OlderConversation {
  /** The number of events that were imported. */
  events: number
  /** The word that was searched for; the excerpt shows where it was found. */
  word: string
  excerpt: string
}

const WORD = 'seagull'
const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** A conversation of last year in the format of another program: its results are base64. */
const RECORDS = [
  { timestamp: '2025-12-04 09:28:23.2', type: 'turn_start' },
  {
    timestamp: '2025-12-04 09:28:24.0',
    type: 'chat_request',
    content: 'Why did the lamp go out last night?',
  },
  {
    timestamp: '2025-12-04 09:28:31.5',
    type: 'tool_call_request',
    id: 'call-1',
    name: 'read_log',
    arguments: { night: base64('2025-12-03') },
  },
  {
    timestamp: '2025-12-04 09:28:32.1',
    type: 'tool_call_response',
    id: 'call-1',
    content: base64('02:14 the lens was covered by a seagull\n02:31 it flew away'),
    is_error: false,
  },
  {
    timestamp: '2025-12-04 09:28:40.7',
    type: 'chat_response',
    message: 'It did not: the lens was covered for 17 minutes.',
  },
]

/** Writes an older conversation into a folder, imports it into the store, and finds it by a word of its result. */
export async function importOlder(
  store: ConversationStore,
  folder: string,
): Promise<OlderConversation> {
  const { importConversation, openSource, readConversations } =
    await import('@toolblocks/session-import')
  const path = join(folder, '.toolblocks/older/17648405032-dark-night/events.json')
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, JSON.stringify(RECORDS, null, 2))
  let events = 0
  for (const read of readConversations(openSource(path)))
    events += (await importConversation(store, read)).added
  const [hit] = await store.search({ text: WORD, limit: 1 })
  return { events, word: WORD, excerpt: hit?.excerpt ?? '' }
}
