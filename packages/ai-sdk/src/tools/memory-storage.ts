import type { QuestionStorage } from '@toolblocks/inquiry/pending'
import type { JsonValue } from '@toolblocks/protocol'

interface MemoryDocument {
  id: string
  version: number
  value: JsonValue
  state: string
  conversation: string
}

/** Creates a storage in the memory of this process. */
export function createMemoryStorage(): QuestionStorage {
  const collections = new Map<string, Map<string, MemoryDocument>>()
  const waiting = new Set<() => void>()
  const open = (collection: string): Map<string, MemoryDocument> => {
    const known = collections.get(collection) ?? new Map<string, MemoryDocument>()
    collections.set(collection, known)
    return known
  }
  return {
    read: async (collection, id) => open(collection).get(id),
    list: async (collection, { state, conversation }) => ({
      documents: [...open(collection).values()].filter(
        (document) =>
          (state === undefined || document.state === state) &&
          (conversation === undefined || document.conversation === conversation),
      ),
      damaged: [],
    }),
    write: async ({ collection, version, ...document }) => {
      const documents = open(collection)
      if ((documents.get(document.id)?.version ?? 0) !== version) return { ok: false }
      documents.set(document.id, { ...document, version: version + 1 })
      for (const wake of waiting) wake()
      return { ok: true }
    },
    changed: async (collection, id, version, signal) => {
      if (signal.aborted || open(collection).get(id)?.version !== version) return
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.add(resolve)
      signal.addEventListener('abort', () => resolve(), { once: true })
      await promise
      waiting.delete(resolve)
    },
  }
}
