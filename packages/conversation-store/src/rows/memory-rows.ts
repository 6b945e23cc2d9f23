import { toSummary } from './sql-row.ts'
import { type StoredBlob, getBlobPieceHashes } from '../events/blob.ts'
import { createChangeEmitter } from './change-emitter.ts'
import { createMemoryDocuments } from './memory-documents.ts'
import { lostPiece, StoreError } from '../problems/store-error.ts'
import {
  type EventRow,
  type StoredHead,
  EMPTY_STORED_HEAD,
  EMPTY_CHAIN_HEAD,
  chainRows,
  equalHash,
} from './event-row.ts'
import { type ListPlace, PLACES, getListPlace } from './list-place.ts'
import { type EventRows, type NewBlobs, type RowChange, resolveRowRange } from './event-rows.ts'

/** Keeps rows in the memory of this process. */
export function createMemoryRows(): EventRows {
  const conversations = new Map<
    string,
    {
      rows: readonly EventRow[]
      /** Its place in the list. */
      place: number
      /** The number of its last append to any conversation. */
      written: number
    }
  >()
  /** The places in the list that are taken, and the greatest one that ever was. */
  const places = new Set<number>()
  let top = 0
  const blobs = new Map<string, { kept: StoredBlob; at: string }>()
  const emitter = createChangeEmitter()
  const { documents, forget, clear } = createMemoryDocuments(emitter, () => getRows(''))
  let writes = 0
  let open = true

  function getRows(conversation: string): readonly EventRow[] {
    if (!open) throw new StoreError('closed', 'The store is closed.')
    return conversations.get(conversation)?.rows ?? []
  }

  function usedBlobs(): ReadonlySet<string> {
    const named = [...conversations.values()].flatMap(({ rows }) =>
      rows.flatMap((row) => row.blobs ?? []),
    )
    return new Set([
      ...named,
      ...[...blobs.values()].flatMap(({ kept }) => getBlobPieceHashes(kept)),
    ])
  }

  function removeUnused(before: string): number {
    const used = usedBlobs()
    const unused = [...blobs].filter(([sha256, { at }]) => at < before && !used.has(sha256))
    for (const [sha256] of unused) blobs.delete(sha256)
    return unused.length
  }

  /** Returns a free place for a conversation in the list, and takes it. */
  function takePlace({ kind, from }: ListPlace): number {
    let place = kind === 'latest' ? Math.max(from, top + 1) : from + (writes % PLACES)
    while (places.has(place)) place += 1
    places.add(place)
    top = Math.max(top, place)
    return place
  }

  function putBlobs({ blobs: added, at }: NewBlobs): void {
    for (const kept of added) {
      for (const piece of getBlobPieceHashes(kept)) {
        const there = blobs.get(piece)
        if (!there) throw lostPiece(kept.sha256)
        blobs.set(piece, { ...there, at })
      }
      blobs.set(kept.sha256, { kept, at })
    }
  }

  return {
    append: async (conversation, expected, events, kept) => {
      const rows = getRows(conversation)
      const head = rows.at(-1) ?? EMPTY_CHAIN_HEAD
      if (head.seq !== expected) return { ok: false, seq: head.seq }
      const added = chainRows(conversation, head, events)
      if (added.length > 0) {
        putBlobs(kept)
        writes += 1
        places.delete(conversations.get(conversation)?.place ?? 0)
        const place = takePlace(getListPlace(events, kept.at))
        conversations.set(conversation, { rows: [...rows, ...added], place, written: writes })
        emitter.emit(conversation)
      }
      return { ok: true, seq: head.seq + added.length }
    },
    read: async (conversation, range) => {
      const rows = getRows(conversation)
      const { first, last } = resolveRowRange(range, rows.length)
      const previous = first === 1 ? EMPTY_CHAIN_HEAD.chain : rows[first - 2]?.chain
      return {
        rows: rows.slice(first - 1, Math.max(last, first - 1)),
        previous,
        head: getHead(rows),
      }
    },
    scan: async (conversation, after, limit) => {
      const rows = getRows(conversation)
      return { rows: rows.slice(after, after + limit), head: getHead(rows) }
    },
    list: async ({ limit, below }) => {
      getRows('')
      return [...conversations]
        .filter(([, { place }]) => place < below)
        .toSorted(([, one], [, other]) => other.place - one.place)
        .slice(0, limit)
        .map(([id, { rows, place }]) => ({ ...toSummary(id, getHead(rows)), place }))
    },
    rewrite: async (conversation, { was, row, kept }) => {
      const rows = getRows(conversation)
      const found = conversations.get(conversation)
      if (!found || !rows.some((each) => isSame(each, row) && hasContent(each, was))) return false
      putBlobs(kept)
      conversations.set(conversation, {
        ...found,
        rows: rows.map((each) => (isSame(each, row) ? row : each)),
      })
      return true
    },
    purge: async () => {
      getRows('')
    },
    appended: async (conversation, after, signal) => {
      if (getRows(conversation).length <= after) await emitter.next(conversation, signal)
      getRows(conversation)
    },
    delete: async (conversation) => {
      getRows(conversation)
      forget(conversation)
      places.delete(conversations.get(conversation)?.place ?? 0)
      return conversations.delete(conversation)
    },
    documents,
    search: async ({ words, conversation, limit }) => {
      getRows('')
      return [...conversations]
        .filter(([id]) => conversation === undefined || id === conversation)
        .toSorted(([, one], [, other]) => other.written - one.written)
        .flatMap(([id, { rows }]) => {
          const found = rows.filter((row) => {
            const known = new Set(row.words?.())
            return words.every((word) => known.has(word))
          })
          return found.toReversed().map(({ seq }) => ({ conversation: id, seq }))
        })
        .slice(0, limit)
    },
    blobs: {
      put: async (added, at) => {
        getRows('')
        putBlobs({ blobs: added, at })
      },
      get: async (hashes) => {
        getRows('')
        return hashes.flatMap((sha256) => blobs.get(sha256)?.kept ?? [])
      },
      drop: async (hashes, { from, to }) => {
        getRows('')
        const lists = hashes.flatMap((sha256) => blobs.get(sha256)?.kept ?? [])
        for (const names of [hashes, lists.flatMap(getBlobPieceHashes)]) {
          const used = usedBlobs()
          for (const sha256 of names)
            if (!used.has(sha256) && !isBetween(blobs.get(sha256)?.at ?? '', from, to))
              blobs.delete(sha256)
        }
      },
      collect: async (before) => {
        getRows('')
        const removed = removeUnused(before)
        // Their pieces have no other use now.
        removeUnused(before)
        return removed
      },
    },
    close: async () => {
      open = false
      emitter.emitAll()
      blobs.clear()
      conversations.clear()
      clear()
    },
  }
}

function isSame(one: EventRow, other: EventRow): boolean {
  return one.seq === other.seq && equalHash(one.chain, other.chain)
}

const isBetween = (at: string, from: string, to: string): boolean => at > from && at <= to

function hasContent(row: EventRow, { bytes, original }: RowChange['was']): boolean {
  return (
    Buffer.compare(row.bytes, bytes) === 0 &&
    (row.original === undefined || original === undefined
      ? row.original === original
      : Buffer.compare(row.original, original) === 0)
  )
}

function getHead(rows: readonly EventRow[]): StoredHead {
  const last = rows.at(-1)
  if (!last) return EMPTY_STORED_HEAD
  const { seq, chain, at } = last
  return { seq, chain, createdAt: rows.at(0)?.at ?? at, updatedAt: at, isIntact: true }
}
