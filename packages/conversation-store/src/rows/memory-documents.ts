import type { ChangeEmitter } from './change-emitter.ts'
import { type DocumentRows, type PlacedDocumentRow, getDocumentName } from './document-rows.ts'

/** The documents in the memory of this process. */
interface MemoryDocuments {
  documents: DocumentRows
  /** Removes the documents of a conversation. */
  forget(conversation: string): void
  clear(): void
}

/** Keeps documents in the memory of this process. `checkOpen` throws once the rows are closed. */
export function createMemoryDocuments(
  emitter: ChangeEmitter,
  checkOpen: () => void,
): MemoryDocuments {
  /** By name, in the order of their creation. */
  const known = new Map<string, PlacedDocumentRow>()
  let places = 0

  function removeDocument(name: string): void {
    known.delete(name)
    emitter.emit(name)
  }

  return {
    documents: {
      read: async (collection, id) => {
        checkOpen()
        return known.get(getDocumentName(collection, id))
      },
      list: async ({ collection, state, conversation, after, limit }) => {
        checkOpen()
        const isListed = (row: PlacedDocumentRow): boolean =>
          row.place > after &&
          (collection === undefined || row.collection === collection) &&
          (state === undefined || row.state === state) &&
          (conversation === undefined || row.conversation === conversation)
        return [...known.values()].filter(isListed).slice(0, limit)
      },
      write: async (row) => {
        checkOpen()
        const name = getDocumentName(row.collection, row.id)
        const before = known.get(name)
        if ((before?.version ?? 0) !== row.version - 1) return false
        if (!before) places += 1
        known.set(name, { ...row, place: before?.place ?? places })
        emitter.emit(name)
        return true
      },
      remove: async (collection, id, version) => {
        checkOpen()
        const name = getDocumentName(collection, id)
        if (known.get(name)?.version !== version) return false
        removeDocument(name)
        return true
      },
      changed: async (collection, id, version, signal) => {
        checkOpen()
        const name = getDocumentName(collection, id)
        if ((known.get(name)?.version ?? 0) === version) await emitter.next(name, signal)
        checkOpen()
      },
    },
    forget: (conversation) => {
      for (const [name, row] of known) if (row.conversation === conversation) removeDocument(name)
    },
    clear: () => known.clear(),
  }
}
