import type { ConversationStore } from '@toolblocks/conversation-store'

/** Lets everything happen that needs no more than the memory. */
export async function letOthersWork(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
}

/** Makes the writes of a store slow, like those of a database elsewhere: what depends on a write that nobody awaits comes too early. */
export function withSlowWrites(store: ConversationStore): ConversationStore {
  const { append, documents } = store
  return {
    ...store,
    append: async (...args) => {
      await letOthersWork()
      return await append(...args)
    },
    documents: {
      ...documents,
      write: async (document) => {
        await letOthersWork()
        return await documents.write(document)
      },
    },
  }
}
