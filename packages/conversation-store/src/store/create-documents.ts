import type { JsonValue } from '@toolblocks/protocol'
import {
  appendPointer,
  findNonJson,
  scanJson,
  MAX_DOCUMENT_DEPTH,
  MAX_JSON_NODES,
} from '@toolblocks/protocol/internal'
import { readJson } from '../events/decode-event.ts'
import { StoreError, type StoreProblem, damagedDocument } from '../problems/store-error.ts'
import {
  type DocumentRow,
  type DocumentRows,
  hashDocument,
  isDocumentIntact,
} from '../rows/document-rows.ts'
import { checkId } from './check-id.ts'
import type { DamagedDocument, DocumentWrite, Documents, StoredDocument } from './documents.ts'
import { encodeJson } from './encode-json.ts'
import { readListPage } from './list-page.ts'

/** Number of documents that are verified at once. */
const SLICE = 50

/** Creates the documents of a store. It encodes, dates and verifies them; the rows keep them. */
export function createDocuments(rows: DocumentRows, now: () => Date): Documents {
  return {
    read: async (collection, id) => {
      checkPlace(collection, id)
      return await readDocument(rows, collection, id)
    },
    list: async (collection, { state, conversation, ...page } = {}) => {
      checkPlace(collection, '')
      if (state !== undefined) checkId(state, 'state')
      if (conversation !== undefined) checkId(conversation)
      const which = {
        collection,
        ...(state !== undefined && { state }),
        ...(conversation !== undefined && { conversation }),
      }
      const { listed, ...next } = await readListPage(page, ({ limit, position = 0 }) =>
        rows.list({ ...which, after: position, limit }),
      )
      const opened = listed.map(openDocument)
      return {
        documents: opened.filter((entry) => 'value' in entry),
        damaged: opened.filter((entry) => 'problem' in entry),
        ...next,
      }
    },
    write: async (write) => {
      const row = encodeDocument(write, now().toISOString())
      const { collection, id } = row
      // Only a version that a document can have; the engines store integers.
      if (Number.isSafeInteger(row.version) && row.version > 0 && (await rows.write(row)))
        return { ok: true, document: toDocument(row, readJson(row.bytes) ?? null) }
      const document = await readDocument(rows, collection, id)
      return { ok: false, ...(document && { document }) }
    },
    remove: async (collection, id, version) => {
      checkPlace(collection, id)
      return Number.isSafeInteger(version) && (await rows.remove(collection, id, version))
    },
    changed: async (collection, id, version, signal) => {
      checkPlace(collection, id)
      await rows.changed(collection, id, version, signal)
    },
  }
}

/** Returns a problem for each damaged document of a conversation. */
export async function verifyDocuments(
  rows: DocumentRows,
  conversation: string,
): Promise<readonly StoreProblem[]> {
  const problems: StoreProblem[] = []
  let after = 0
  for (;;) {
    const page = await rows.list({ conversation, after, limit: SLICE })
    for (const entry of page.map(openDocument)) if ('problem' in entry) problems.push(entry.problem)
    const last = page.at(-1)
    if (!last || page.length < SLICE) return problems
    after = last.position
  }
}

const COLLECTION = /^[a-z-]{1,64}$/

function checkPlace(collection: string, id: string): void {
  if (!COLLECTION.test(collection)) {
    const message = `The collection ${JSON.stringify(collection)} is not valid; expected 1 to 64 lower-case letters and "-", for example "question".`
    throw new StoreError('invalid-id', message)
  }
  checkId(id, 'document id')
}

/** Creates the next version of a document. */
function encodeDocument(write: DocumentWrite, time: string): DocumentRow {
  const { collection, id, version, state, conversation, value } = write
  checkPlace(collection, id)
  checkId(state, 'state')
  if (conversation !== undefined) checkId(conversation)
  const content = {
    collection,
    id,
    version: version + 1,
    state,
    ...(conversation !== undefined && { conversation }),
    at: time,
    bytes: encodeValue(write, value),
  }
  return { ...content, sha256: hashDocument(content) }
}

function encodeValue({ collection, id }: DocumentWrite, value: JsonValue): Uint8Array {
  const refuse = (problem: StoreProblem, cause?: unknown): StoreError => {
    const message = `The document ${JSON.stringify(id)} of the collection "${collection}" was not written: ${[problem.path, problem.message].filter(Boolean).join(': ')}`
    return new StoreError('unstorable', message, { ...(cause !== undefined && { cause }), problem })
  }
  const text = encodeJson(value, refuse)
  const { exceeds } = scanJson(text, MAX_JSON_NODES, MAX_DOCUMENT_DEPTH)
  if (exceeds === undefined) return Buffer.from(text)
  const problem = findNonJson(value, MAX_DOCUMENT_DEPTH) ?? {
    path: '',
    message: `its JSON exceeds the limit of ${exceeds}`,
  }
  throw refuse({ ...problem, code: 'not-json' })
}

async function readDocument(
  rows: DocumentRows,
  collection: string,
  id: string,
): Promise<StoredDocument | undefined> {
  const row = await rows.read(collection, id)
  if (!row) return undefined
  const opened = openDocument(row)
  if ('value' in opened) return opened
  throw damagedDocument(row, opened.problem)
}

/** Verifies and reads a row. */
function openDocument(row: DocumentRow): StoredDocument | DamagedDocument {
  const value = isDocumentIntact(row) ? readJson(row.bytes) : undefined
  if (value !== undefined) return toDocument(row, value)
  const { collection, id, version } = row
  const message = `the value, version, state, conversation or time of the document ${JSON.stringify(id)} of the collection "${collection}" differs from what was written`
  const path = appendPointer(appendPointer('/documents', collection), id)
  return { id, version, problem: { path, message, code: 'damaged-document' } }
}

function toDocument(row: DocumentRow, value: JsonValue): StoredDocument {
  const { collection, id, version, state, conversation, at } = row
  return {
    collection,
    id,
    version,
    state,
    ...(conversation !== undefined && { conversation }),
    at,
    value,
  }
}
