import { openStore } from '@toolblocks/conversation-store'
import { flushCompileCache } from 'node:module'
import { stdout } from 'node:process'
import { importConversation, readConversations } from './import-conversation.ts'
import { findSourceFiles, openSource } from './sources/source.ts'

/** Imports all conversations below a folder, and prints a line after each. */
export async function importFolder(url: string, folder: string): Promise<void> {
  const store = await openStore(url)
  // A killed process would not save its compile cache.
  flushCompileCache()
  stdout.write('open\n')
  for (const file of findSourceFiles(folder).files) {
    for (const read of readConversations(openSource(file))) {
      await importConversation(store, read)
      stdout.write(`${read.id}\n`)
    }
  }
  await store.close()
}
