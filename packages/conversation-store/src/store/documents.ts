import type { JsonValue } from '@toolblocks/protocol'
import type { StoreProblem } from '../problems/store-error.ts'

/** A small JSON value beside the events. Only a writer that knows its current version can change it. */
export interface StoredDocument {
  /** What kind of document it is, for example `question`: 1 to 64 lower-case letters and `-`. */
  collection: string
  /** Unique in its collection. */
  id: string
  /** 1 for a new document; increases by 1 with every write. */
  version: number
  /** The state by which documents are listed, for example `open`. */
  state: string
  /** The conversation to which it belongs. It is deleted with the conversation. */
  conversation?: string
  /** When the current version was written: ISO 8601, UTC, by the store's clock. */
  at: string
  value: JsonValue
}

/** A new version of a document. It replaces all fields of the version before it. */
export interface DocumentWrite {
  /** What kind of document it is, for example `question`: 1 to 64 lower-case letters and `-`. */
  collection: string
  /** Unique in its collection. */
  id: string
  /** The version that the writer knows; 0: no document exists. */
  version: number
  /** The state by which documents are listed, for example `open`. */
  state: string
  /** The conversation to which it belongs, which does not have to exist yet. It is deleted with the conversation. */
  conversation?: string
  /** JSON of at most `MAX_DOCUMENT_DEPTH` levels and `MAX_JSON_NODES` values. */
  value: JsonValue
}

/** The result of a write. */
export type DocumentWriteResult =
  | { ok: true; document: StoredDocument }
  /** Another writer was first, and nothing was written. `document` is the current document; absent if it does not exist. */
  | { ok: false; document?: StoredDocument }

/** Which documents of a collection to list. */
interface DocumentListRequest {
  /** Only documents in this state. */
  state?: string
  /** Only documents of this conversation. */
  conversation?: string
  /** Maximum number of documents. Default: 50; `Infinity`: all. */
  limit?: number
  /** The `next` of the previous list. */
  cursor?: string
}

/** A document that is not as it was written. */
export interface DamagedDocument {
  id: string
  /** The stored version: who knows it can replace or remove the document. */
  version: number
  /** `path` is `/documents/COLLECTION/ID`. */
  problem: StoreProblem
}

/** Documents in the order of their creation, the oldest first, and the cursor of the next page. */
export interface DocumentList {
  documents: readonly StoredDocument[]
  /** Documents that are not as they were written, in the same order. They are listed here and never omitted silently. */
  damaged: readonly DamagedDocument[]
  /** The cursor of the next page, an opaque string. Absent on the last page. */
  next?: string
}

/**
 * Keeps documents beside the events: data that changes, such as a question that one of many may answer, or which host runs a conversation. Every
 * member rejects with a `StoreError`: `closed`, `busy`, `read-only`, `failed`, and `invalid-id` for a collection of other characters, or half a
 * surrogate pair in an id, a state or a conversation.
 */
export interface Documents {
  /**
   * Reads a document; `undefined` if it does not exist.
   *
   * @throws StoreError with code `damaged` if it is not as it was written. Whoever knows its version can write or remove it; the error names the
   * stored one.
   */
  read(collection: string, id: string): Promise<StoredDocument | undefined>
  /**
   * Lists the documents of a collection, the oldest first. A document that is created or changes its state between two pages may be missing on the
   * second one; no other one is missed.
   *
   * @throws StoreError with code `invalid-cursor` for a cursor that no list returned.
   */
  list(collection: string, request?: DocumentListRequest): Promise<DocumentList>
  /**
   * Creates a document, or replaces it, if its current version is the one that the writer knows. Of several writers with the same version, one
   * succeeds. If the connection to PostgreSQL breaks, the write may have been done: read the document.
   *
   * @throws StoreError with code `unstorable` for a value that is not JSON or exceeds its limits, and `damaged` if another writer was first and the
   * current document is not as it was written.
   */
  write(write: DocumentWrite): Promise<DocumentWriteResult>
  /**
   * Removes a document if its version is as given; resolves to whether it was removed. A document that is created again has version 1 again. If
   * others may still know the old version 1, write a final state instead.
   */
  remove(collection: string, id: string, version: number): Promise<boolean>
  /**
   * Settles when the document's version may differ from `version` (also when it was created or removed; 0: it does not exist), or when the signal
   * aborts. It may settle without a change, but misses none: read the document afterwards. SQLite is queried five times a second; PostgreSQL sends
   * notifications.
   */
  changed(collection: string, id: string, version: number, signal: AbortSignal): Promise<void>
}
