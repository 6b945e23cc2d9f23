import { toSummary } from './sql-row.ts'
import { type KeptBlob, piecesOf } from '../events/blob.ts'
import { createBell } from './bell.ts'
import { lostPiece, StoreError } from '../problems/store-error.ts'
import {
  type EventRow,
  type KeptHead,
  NOTHING_KEPT,
  NO_HEAD,
  chainRows,
  equalHash,
} from './event-row.ts'
import { type EventRows, spanOf } from './event-rows.ts'

/** Keeps rows in this process, and as long as it lives. */
export function createMemoryRows(): EventRows {
  const conversations = new Map<string, { rows: readonly EventRow[]; place: number }>()
  const blobs = new Map<string, { kept: KeptBlob; at: string }>()
  const bell = createBell()
  let writes = 0
  let open = true

  function rowsOf(conversation: string): readonly EventRow[] {
    if (!open) throw new StoreError('closed', 'The store is closed.')
    return conversations.get(conversation)?.rows ?? []
  }

  function usedBlobs(): ReadonlySet<string> {
    const named = [...conversations.values()].flatMap(({ rows }) =>
      rows.flatMap((row) => row.blobs ?? []),
    )
    return new Set([...named, ...[...blobs.values()].flatMap(({ kept }) => piecesOf(kept))])
  }

  function removeUnused(before: string): number {
    const used = usedBlobs()
    const unused = [...blobs].filter(([sha256, { at }]) => at < before && !used.has(sha256))
    for (const [sha256] of unused) blobs.delete(sha256)
    return unused.length
  }

  return {
    append: async (conversation, expected, events) => {
      const rows = rowsOf(conversation)
      const head = rows.at(-1) ?? NO_HEAD
      if (head.seq !== expected) return { ok: false, seq: head.seq }
      const added = chainRows(conversation, head, events)
      if (added.length > 0) {
        writes += 1
        conversations.set(conversation, { rows: [...rows, ...added], place: writes })
        bell.ring(conversation)
      }
      return { ok: true, seq: head.seq + added.length }
    },
    read: async (conversation, range) => {
      const rows = rowsOf(conversation)
      const { first, last } = spanOf(range, rows.length)
      const previous = first === 1 ? NO_HEAD.chain : rows[first - 2]?.chain
      return {
        rows: rows.slice(first - 1, Math.max(last, first - 1)),
        previous,
        head: headOf(rows),
      }
    },
    scan: async (conversation, after, limit) => {
      const rows = rowsOf(conversation)
      return { rows: rows.slice(after, after + limit), head: headOf(rows) }
    },
    list: async ({ limit, below }) => {
      rowsOf('')
      return [...conversations]
        .filter(([, { place }]) => place < below)
        .toSorted(([, one], [, other]) => other.place - one.place)
        .slice(0, limit)
        .map(([id, { rows, place }]) => ({ ...toSummary(id, headOf(rows)), place }))
    },
    rewrite: async (conversation, row) => {
      const rows = rowsOf(conversation)
      const kept = conversations.get(conversation)
      if (kept)
        conversations.set(conversation, {
          ...kept,
          rows: rows.map((each) => (isSame(each, row) ? row : each)),
        })
    },
    purge: async () => {
      rowsOf('')
    },
    appended: async (conversation, after, signal) => {
      if (rowsOf(conversation).length <= after) await bell.next(conversation, signal)
      rowsOf(conversation)
    },
    delete: async (conversation) => {
      rowsOf(conversation)
      return conversations.delete(conversation)
    },
    search: async ({ words, conversation, limit }) => {
      rowsOf('')
      return [...conversations]
        .filter(([id]) => conversation === undefined || id === conversation)
        .toSorted(([, one], [, other]) => other.place - one.place)
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
        rowsOf('')
        for (const kept of added) {
          for (const piece of piecesOf(kept)) {
            const there = blobs.get(piece)
            if (!there) throw lostPiece(kept.sha256)
            blobs.set(piece, { ...there, at })
          }
          blobs.set(kept.sha256, { kept, at })
        }
      },
      get: async (hashes) => {
        rowsOf('')
        return hashes.flatMap((sha256) => blobs.get(sha256)?.kept ?? [])
      },
      drop: async (hashes, at) => {
        rowsOf('')
        const lists = hashes.flatMap((sha256) => blobs.get(sha256)?.kept ?? [])
        for (const names of [hashes, lists.flatMap(piecesOf)]) {
          const used = usedBlobs()
          for (const sha256 of names)
            if (!used.has(sha256) && (blobs.get(sha256)?.at ?? '') <= at) blobs.delete(sha256)
        }
      },
      collect: async (before) => {
        rowsOf('')
        const removed = removeUnused(before)
        // Their pieces are free now.
        removeUnused(before)
        return removed
      },
    },
    close: async () => {
      open = false
      bell.ringAll()
      blobs.clear()
      conversations.clear()
    },
  }
}

function isSame(one: EventRow, other: EventRow): boolean {
  return one.seq === other.seq && equalHash(one.chain, other.chain)
}

function headOf(rows: readonly EventRow[]): KeptHead {
  const last = rows.at(-1)
  if (!last) return NOTHING_KEPT
  const { seq, chain, at } = last
  return { seq, chain, createdAt: rows.at(0)?.at ?? at, updatedAt: at, isIntact: true }
}
