import { requireArguments } from '@toolblocks/protocol/json'
import { existsSync } from 'node:fs'
import { createStore } from '../store/create-store.ts'
import type { ConversationStore } from '../store/conversation-store.ts'
import { MEMORY } from '../rows/sqlite/open-database.ts'
import { openSqliteRows } from '../rows/sqlite/sqlite-rows.ts'
import { StoreError } from '../problems/store-error.ts'
import { detectFormat, importConversation, readConversations } from './import-conversation.ts'
import { findSourceFiles, openSource } from './sources/source.ts'

/** Opens the conversations of JP below a folder for reading only. They are converted to the current form and kept in memory. */
export async function openJpStore(path: string): Promise<ConversationStore> {
  requireArguments('openJpStore(path)', [path, 'string'])
  if (!existsSync(path)) {
    const message = `The folder ${path} does not exist; expected a folder of JP, such as ".jp/conversations".`
    throw new StoreError('cannot-open', message)
  }
  const rows = await openSqliteRows(MEMORY)
  const store = createStore(rows)
  for (const file of findSourceFiles(path).files) {
    const source = openSource(file)
    if (detectFormat(source) !== 'jp') continue
    for (const read of readConversations(source, { from: 'jp' }))
      await importConversation(store, read)
  }
  const refuse = async (): Promise<never> => {
    const message = `${path} is read-only: import its conversations into a store of your own with importConversation().`
    throw new StoreError('read-only', message)
  }
  const readOnly = createStore({
    ...rows,
    append: refuse,
    delete: refuse,
    blobs: { ...rows.blobs, put: refuse, collect: refuse },
    documents: { ...rows.documents, write: refuse, remove: refuse },
  })
  return { ...readOnly, scrub: refuse }
}
