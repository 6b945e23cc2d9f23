import { once } from 'node:events'
import {
  type ConversationList,
  type ConversationStore,
  type ConversationSummary,
  type Documents,
  type StoredDocument,
  StoreError,
} from '@toolblocks/conversation-store'
import { isJsonObject } from '@toolblocks/protocol'
import { parseJson } from '@toolblocks/protocol/internal'
import type { ReadingRights } from '../clients/client-rights.ts'
import type { ConversationOwners } from './conversation-owners.ts'

/** A person with her rights. */
export interface Reader extends ReadingRights {
  /** The `id` of her identity. */
  id: string
}

/** The only documents that people read. Others are of the host, such as its keys. */
const QUESTIONS = 'question'

/** Default number of conversations of a list. */
const LIST = 50

/**
 * Restricts a store to what one person may read. What she may not read is as if it did not exist: it is not listed, found, counted or followed. Nothing can be
 * written, except answers to the questions that she may answer.
 */
export function restrictStore(
  store: ConversationStore,
  owners: ConversationOwners,
  reader: Reader,
): ConversationStore {
  const isOwn = async (id: string): Promise<boolean> => (await owners.find(id)) === reader.id
  const documents = restrictDocuments(store.documents, { reader, isOwn })
  const unchanged = { ...READ_ONLY, documents, close: async () => undefined }
  if (reader.reads === 'all') {
    const { read, list, search, verify, readBytes, follow } = store
    return { ...unchanged, read, list, search, verify, readBytes, follow }
  }
  return {
    ...unchanged,
    read: async (id, request) =>
      (await isOwn(id)) ? await store.read(id, request) : { events: [], damaged: [], more: false },
    list: async (request) => listPage(await owners.list(reader.id), request),
    search: async (request) => {
      const { conversation, conversations } = request
      const own =
        conversation === undefined
          ? (await owners.list(reader.id)).map(({ id }) => id)
          : (await isOwn(conversation))
            ? [conversation]
            : []
      const searched = conversations ? own.filter((id) => conversations.includes(id)) : own
      return await store.search({ ...request, conversations: searched })
    },
    verify: async (id) => ((await isOwn(id)) ? await store.verify(id) : []),
    // The texts and media of an event come with it. Whose other bytes are is not known.
    readBytes: async () => undefined,
    follow: async function* (id, { after = 0, signal = new AbortController().signal } = {}) {
      let last = Infinity
      if (await isOwn(id))
        for await (const event of store.follow(id, { after, signal })) {
          // The conversation has begun again, perhaps for another person.
          if (event.seq <= last && !(await isOwn(id))) break
          last = event.seq
          yield event
        }
      // As if nothing happened in it.
      if (!signal.aborted) await once(signal, 'abort')
    },
  }
}

function refuseWrite(): never {
  throw new StoreError('read-only', 'These conversations can only be read.')
}

const READ_ONLY: Pick<
  ConversationStore,
  'append' | 'delete' | 'keepBytes' | 'collectBytes' | 'scrub'
> = {
  append: async () => refuseWrite(),
  delete: async () => refuseWrite(),
  keepBytes: async () => refuseWrite(),
  collectBytes: async () => refuseWrite(),
  scrub: async () => refuseWrite(),
}

/** Returns a page of a list. Its cursor names only an entry of the list itself. */
function listPage(
  all: readonly ConversationSummary[],
  { limit = LIST, cursor }: { limit?: number; cursor?: string } = {},
): ConversationList {
  const rest = cursor === undefined ? all : all.slice(findStart(all, cursor))
  const conversations = rest.slice(0, limit)
  const last = conversations.at(-1)
  return {
    conversations,
    ...(last && rest.length > conversations.length && { next: writeCursor(last) }),
  }
}

function writeCursor({ id, updatedAt }: ConversationSummary): string {
  return Buffer.from(JSON.stringify({ id, updatedAt })).toString('base64url')
}

function findStart(all: readonly ConversationSummary[], cursor: string): number {
  const read = parseJson(Buffer.from(cursor, 'base64url').toString())
  const { id, updatedAt } = isJsonObject(read) ? read : {}
  if (typeof id !== 'string' || typeof updatedAt !== 'string')
    throw new StoreError(
      'invalid-cursor',
      `The cursor ${JSON.stringify(cursor)} is not valid; expected the "next" of a list.`,
    )
  const index = all.findIndex((one) => one.id === id && one.updatedAt === updatedAt)
  if (index !== -1) return index + 1
  // It was written since, and is at the front now.
  const later = all.findIndex((one) => one.updatedAt < updatedAt)
  return later === -1 ? all.length : later
}

function restrictDocuments(
  documents: Documents,
  {
    reader: { reads, answers },
    isOwn,
  }: { reader: Reader; isOwn: (conversation: string) => Promise<boolean> },
): Documents {
  const isOf = async ({ conversation }: { conversation?: string }): Promise<boolean> =>
    conversation !== undefined && (await isOwn(conversation))
  const mayReadAll = reads === 'all' || answers === 'all'
  const mayRead = async (document: { conversation?: string }): Promise<boolean> =>
    mayReadAll || (await isOf(document))

  async function read(collection: string, id: string): Promise<StoredDocument | undefined> {
    if (collection !== QUESTIONS) return undefined
    try {
      const document = await documents.read(collection, id)
      return document && (await mayRead(document)) ? document : undefined
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'damaged') throw error
      const { conversation } = error
      const isVisible = await mayRead(conversation === undefined ? {} : { conversation })
      if (isVisible) throw error
      return undefined
    }
  }

  return {
    read,
    list: async (collection, request = {}) => {
      const { conversation } = request
      const isHidden = conversation !== undefined && !(await mayRead({ conversation }))
      if (collection !== QUESTIONS || isHidden) return { documents: [], damaged: [] }
      const page = await documents.list(collection, request)
      if (mayReadAll) return page
      const visible = await Promise.all(page.documents.map(mayRead))
      return {
        ...page,
        documents: page.documents.filter((_, index) => visible[index]),
        // Whose they are is known only if they were listed for a conversation.
        damaged: conversation === undefined ? [] : page.damaged,
      }
    },
    write: async (write) => {
      const current = await read(write.collection, write.id)
      const isSame = current !== undefined && current.conversation === write.conversation
      if (!isSame || answers === 'none') return refuseWrite()
      if (answers === 'own' && !(await isOf(current))) return refuseWrite()
      return await documents.write(write)
    },
    remove: async () => refuseWrite(),
    changed: async (collection, id, version, signal) => {
      if (await read(collection, id))
        return await documents.changed(collection, id, version, signal)
      if (!signal.aborted) await once(signal, 'abort')
    },
  }
}
