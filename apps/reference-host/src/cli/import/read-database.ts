import { getErrorText } from '@toolblocks/protocol/internal'
import { serialize } from 'node:v8'
import { openSource, type ReadConversation, readConversations } from '@toolblocks/session-import'
import type { FormatName } from '@toolblocks/conversation-store'

// Reads the conversations of one database in a process of its own: a malicious file can keep SQLite busy for ever, or crash the process.
// `read-file.ts` starts it: node read-database.ts PATH WHAT [FORMAT]

/** A message on standard output: its length in four bytes, then the bytes of `serialize`. */
export type DatabaseMessage =
  | { kind: 'conversation'; conversation: ReadConversation }
  | { kind: 'failed'; message: string }

const [path = '', what, from] = process.argv.slice(2)

function sendMessage(message: DatabaseMessage): void {
  const bytes = serialize(message)
  const length = Buffer.alloc(4)
  length.writeUInt32LE(bytes.length)
  process.stdout.write(length)
  process.stdout.write(bytes)
}

try {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the name came from the same command
  const options = from === undefined ? {} : { from: from as FormatName }
  for (const conversation of readConversations(openSource(path), options)) {
    const { rawOutputs: _named, ...rest } = conversation
    sendMessage({
      kind: 'conversation',
      conversation: what === 'counts' ? { ...rest, events: [] } : conversation,
    })
  }
} catch (error) {
  sendMessage({ kind: 'failed', message: getErrorText(error) })
}
