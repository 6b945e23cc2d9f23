import { isJsonObject, type JsonObject, type JsonValue } from '@toolblocks/protocol'

/** A value that several processes change. */
export interface SharedDocument {
  readonly id: string
  /** 1 for a new document; increases by 1 with every write. */
  readonly version: number
  /** By which documents are listed. */
  readonly state: string
  /** JSON. */
  readonly value: unknown
}

/** Documents that all replicas of a service share. Those of a conversation store are such documents. Each member rejects if the store fails. */
export interface SharedDocuments {
  /** Resolves to a document of a collection; `undefined` if it does not exist. */
  read(collection: string, id: string): Promise<SharedDocument | undefined>
  /** Resolves to at most `limit` documents of a collection, the oldest first; `state`: only those in this state. */
  list(
    collection: string,
    request: { state?: string; limit: number },
  ): Promise<{ readonly documents: readonly SharedDocument[] }>
  /**
   * Creates (version 0) or replaces a document, if its version is as given. Of several writers with the same version, one succeeds. `document`: what is stored afterwards;
   * absent if there is no such document.
   */
  write(write: {
    collection: string
    id: string
    version: number
    state: string
    value: JsonValue
  }): Promise<{ readonly ok: boolean; readonly document?: SharedDocument }>
  /** Removes a document if its version is as given; resolves to whether it was removed. */
  remove(collection: string, id: string, version: number): Promise<boolean>
  /**
   * Settles when the version of a document may differ from `version` (0: it does not exist), or when the signal aborts. Absent: the document is read every second.
   */
  changed?(collection: string, id: string, version: number, signal: AbortSignal): Promise<void>
}

/** Writes an object that was received as JSON, or is made of such objects. */
export async function writeShared(
  documents: SharedDocuments,
  {
    value,
    ...write
  }: Omit<Parameters<SharedDocuments['write']>[0], 'value'> & { value: JsonObject },
): ReturnType<SharedDocuments['write']> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its values are JSON
  return await documents.write({ ...write, value: value as JsonValue })
}

/** Returns the same documents; what takes longer than this time is rejected, because a store that hangs must not stop requests that need no store. */
export function limitDocuments(documents: SharedDocuments, ms: number): SharedDocuments {
  async function limit<Value>(work: Promise<Value>): Promise<Value> {
    const { promise, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(new Error('the store does not answer')), ms)
    return await Promise.race([work, promise]).finally(() => clearTimeout(timer))
  }
  return {
    read: async (...about) => await limit(documents.read(...about)),
    list: async (...about) => await limit(documents.list(...about)),
    write: async (...about) => await limit(documents.write(...about)),
    remove: async (...about) => await limit(documents.remove(...about)),
  }
}

/** Documents that are read at once to find those that are too old. */
const SWEPT = 100

/** Removes the documents of a collection that were written longer ago than this, by their `writtenAt`. */
export async function sweepDocuments(
  documents: SharedDocuments,
  { collection, keepMs }: { collection: string; keepMs: number },
): Promise<void> {
  for (;;) {
    // The oldest come first.
    const { documents: oldest } = await documents.list(collection, { limit: SWEPT })
    for (const { id, version, value } of oldest) {
      const writtenAt = isJsonObject(value) ? value['writtenAt'] : undefined
      if (typeof writtenAt === 'number' && Date.now() - writtenAt < keepMs) return
      await documents.remove(collection, id, version)
    }
    if (oldest.length < SWEPT) return
  }
}
