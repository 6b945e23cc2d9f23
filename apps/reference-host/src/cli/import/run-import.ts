import { COUNT_WORDS } from './count-words.ts'
import { readFile } from './read-file.ts'
import type { ConversationStore } from '@toolblocks/conversation-store'
import {
  type ConversationCounts,
  type ImportedConversation,
  type ReadConversation,
  importConversation,
} from '@toolblocks/session-import'
import type { FormatName } from '@toolblocks/conversation-store'
import type { PlannedFile } from './plan-import.ts'

/** One conversation of a report. */
export interface ImportReport {
  source: string
  format: FormatName
  /** The id in the store. */
  conversation: string
  state: ImportedConversation['state']
  added: number
  before: ConversationCounts
  after: ConversationCounts
  /** The sizes of its records, and of what the store has of them, in bytes. */
  bytes: { before: number; after: number }
  warnings: ReadConversation['problems']
  /** Whether the counts in the store equal the counts of the source. */
  isSame: boolean
}

/** Imports the conversations of files one by one, each in one transaction. Throws when the signal aborts; what was imported before stays. */
export async function* runImport(
  store: ConversationStore,
  files: readonly PlannedFile[],
  signal: AbortSignal,
): AsyncGenerator<ImportReport> {
  for (const { path, format } of files) {
    for (const read of await readFile(path, { from: format, what: 'events', signal })) {
      signal.throwIfAborted()
      yield toReport(read, await importConversation(store, read))
    }
  }
}

function toReport(read: ReadConversation, imported: ImportedConversation): ImportReport {
  const { source, format, before, bytes, problems } = read
  const { conversation, state, added, after } = imported
  return {
    source,
    format,
    conversation,
    state,
    added,
    before,
    after,
    bytes: { before: bytes, after: imported.bytes },
    warnings: problems,
    isSame: bytes === imported.bytes && COUNT_WORDS.every(([name]) => before[name] === after[name]),
  }
}
