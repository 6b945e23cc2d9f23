import { type ConversationStore, StoreError } from '@toolblocks/conversation-store'
import { requireArguments } from '@toolblocks/protocol/internal'
import { existsSync } from 'node:fs'
import type { ReadConversation } from './convert/read-conversation.ts'
import { detectFormat, readConversations } from './import-conversation.ts'
import { openConversations } from './open-conversations.ts'
import { findSourceFiles, openSource } from './sources/source.ts'

/** Opens the conversations of JP below a folder for reading only. They are converted to the current form when they are read. */
export async function openJpStore(path: string): Promise<ConversationStore> {
  requireArguments('openJpStore(path)', [path, 'string'])
  if (!existsSync(path)) {
    const message = `The folder ${path} does not exist; expected a folder of JP, such as ".jp/conversations".`
    throw new StoreError('cannot-open', message)
  }
  const read: ReadConversation[] = []
  for (const file of findSourceFiles(path).files) {
    const source = openSource(file)
    if (detectFormat(source) === 'jp') read.push(...readConversations(source, { from: 'jp' }))
  }
  return await openConversations(read)
}
