import type { JsonObject, JsonValue } from '@toolblocks/protocol'

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
