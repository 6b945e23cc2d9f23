import { equalHash, hash } from './event-row.ts'

/** A document as it is stored. */
export interface DocumentRow {
  /** What kind of document it is: 1 to 64 lower-case letters and `-`. */
  collection: string
  /** Unique in its collection. */
  id: string
  /** 1 for a new document, one more with every write. */
  version: number
  /** The state by which documents are listed. */
  state: string
  /** The conversation to which it belongs. */
  conversation?: string
  /** When this version was written: ISO 8601, UTC. */
  at: string
  /** The value as UTF-8 JSON. */
  bytes: Uint8Array
  /** SHA-256 of all other fields. */
  sha256: Uint8Array
}

/** A document with its place in the order of creation: a greater place is a later one, and no two are equal. */
export interface PlacedDocumentRow extends DocumentRow {
  /** Given when the document is created. A write does not change it. */
  position: number
}

/** Which documents to list. */
export interface DocumentQuery {
  /** Only documents of this collection. */
  collection?: string
  /** Only documents in this state. */
  state?: string
  /** Only documents of this conversation. */
  conversation?: string
  /** Documents with a greater place. */
  after: number
  /** Maximum number of documents; at most `MAX_SAFE_INTEGER`. */
  limit: number
}

/**
 * Keeps documents: small rows that can be written again, each by its collection and id. Each call is one step, and calls may run at the same time,
 * also those of other processes.
 */
export interface DocumentRows {
  /** Returns a document; `undefined` if it does not exist. */
  read(collection: string, id: string): Promise<DocumentRow | undefined>
  /** Lists documents in the order of their creation. */
  list(query: DocumentQuery): Promise<readonly PlacedDocumentRow[]>
  /**
   * Keeps a row if the version of the stored document is one less; of version 1, if no document exists. Resolves to false, and does nothing, if it
   * is not so.
   */
  write(row: DocumentRow): Promise<boolean>
  /** Removes a document if it has this version. Resolves to whether it was removed. */
  remove(collection: string, id: string, version: number): Promise<boolean>
  /**
   * Settles when a document may have another version than this one (0: it does not exist), or when the signal aborts. It may settle without a
   * change, but must not miss one. Rejects once the rows are closed.
   */
  changed(collection: string, id: string, version: number, signal: AbortSignal): Promise<void>
}

/** Computes the hash of a document. */
export function hashDocument(row: Omit<DocumentRow, 'sha256'>): Uint8Array {
  const { collection, id, version, state, conversation = null, at, bytes } = row
  return hash(`${JSON.stringify([collection, id, version, state, conversation, at])}\n`, bytes)
}

/** Whether a document is as it was written. */
export function isDocumentIntact(row: DocumentRow): boolean {
  return equalHash(hashDocument(row), row.sha256)
}

/** Returns the name of a document, which no other document has. */
export function getDocumentName(collection: string, id: string): string {
  return JSON.stringify([collection, id])
}

/** Returns a function that returns whether a document has another version than this one, or was removed and created again since the first call. */
export function createChangeCheck(
  version: number,
  readNow: () => Promise<Pick<DocumentRow, 'version' | 'sha256'> | undefined>,
): () => Promise<boolean> {
  let first: Uint8Array | undefined
  return async () => {
    const now = await readNow()
    if ((now?.version ?? 0) !== version) return true
    if (!now) return false
    first ??= now.sha256
    return !equalHash(first, now.sha256)
  }
}
