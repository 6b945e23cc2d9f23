import {
  isPendingQuestion,
  type PendingQuestion,
  type QuestionStorage,
} from '@toolblocks/inquiry/pending'
import type { JsonValue } from '@toolblocks/protocol'

interface MemoryDocument {
  id: string
  version: number
  value: JsonValue
  state: string
  conversation: string
}

/** Number of released questions that are kept: a few MB. */
const MAX_RELEASED = 10_000

/** A storage in the memory of this process. */
export interface MemoryStorage {
  storage: QuestionStorage
  /** Removes the content of a settled question: it is kept that it existed, and how it ended. Of 10,000 such questions, the oldest is removed. */
  release(id: string): void
}

/** Creates a storage in the memory of this process. */
export function createMemoryStorage(): MemoryStorage {
  const collections = new Map<string, Map<string, MemoryDocument>>()
  const released: { documents: Map<string, MemoryDocument>; id: string }[] = []
  const writes = new EventTarget()
  const open = (collection: string): Map<string, MemoryDocument> => {
    const known = collections.get(collection) ?? new Map<string, MemoryDocument>()
    collections.set(collection, known)
    return known
  }
  return {
    storage: {
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
        writes.dispatchEvent(new Event('write'))
        return { ok: true }
      },
      changed: async (collection, id, version, signal) => {
        if (signal.aborted || open(collection).get(id)?.version !== version) return
        await new Promise<void>((resolve) => {
          writes.addEventListener('write', () => resolve(), { once: true, signal })
          signal.addEventListener('abort', () => resolve(), { once: true })
        })
      },
    },
    release: (id) => {
      for (const documents of collections.values()) {
        const document = documents.get(id)
        if (!document || !isPendingQuestion(document.value)) continue
        if (document.value.state === 'open') continue
        documents.set(id, { ...document, value: withoutContent(document.value) })
        released.push({ documents, id })
      }
      if (released.length <= MAX_RELEASED) return
      const oldest = released.shift()
      oldest?.documents.delete(oldest.id)
    },
  }
}

/** Returns how a question ended. Its call cannot be made again, because its arguments are not in it. */
function withoutContent({ after: _after, ...question }: PendingQuestion): JsonValue {
  const { call, request, settled } = question
  return JSON.parse(
    JSON.stringify({
      ...question,
      call: { ...call, arguments: {} },
      request: { id: request.id, text: '', schema: true },
      blocks: [],
      isRepeatable: false,
      definition: '',
      ...(settled && { settled: { at: settled.at, by: settled.by } }),
    } satisfies PendingQuestion),
  )
}
