import { StoreError } from '../store-error.ts'
import { chainRows, NO_HEAD, type EventRow } from './event-row.ts'
import type { ConversationSummary, EventRows, RowRange } from './event-rows.ts'

/** Keeps rows in this process, and as long as it lives. */
export function createMemoryRows(): EventRows {
  const conversations = new Map<string, EventRow[]>()
  let open = true

  function rowsOf(conversation: string): EventRow[] {
    if (!open) throw new StoreError('closed', 'The store is closed.')
    return conversations.get(conversation) ?? []
  }

  return {
    append: async (conversation, expected, events) => {
      const rows = rowsOf(conversation)
      const head = rows.at(-1) ?? NO_HEAD
      if (head.seq !== expected) return { ok: false, seq: head.seq }
      const added = chainRows(head, events)
      if (added.length > 0) {
        conversations.delete(conversation)
        conversations.set(conversation, [...rows, ...added])
      }
      return { ok: true, seq: head.seq + added.length }
    },
    head: async (conversation) => rowsOf(conversation).at(-1) ?? NO_HEAD,
    read: async (conversation, range) => select(rowsOf(conversation), range),
    list: async ({ limit, offset }) => {
      rowsOf('')
      const summaries = [...conversations].map(([id, rows]) => summarize(id, rows)).toReversed()
      return summaries.slice(offset, offset + limit)
    },
    delete: async (conversation) => {
      rowsOf(conversation)
      return conversations.delete(conversation)
    },
    close: async () => {
      open = false
      conversations.clear()
    },
  }
}

function select(rows: readonly EventRow[], range: RowRange): readonly EventRow[] {
  const within = rows.filter(({ seq }) => seq > range.after && seq < range.before)
  return range.from === 'first' ? within.slice(0, range.limit) : within.slice(-range.limit)
}

function summarize(id: string, rows: readonly EventRow[]): ConversationSummary {
  const createdAt = rows.at(0)?.at ?? ''
  return { id, events: rows.length, createdAt, updatedAt: rows.at(-1)?.at ?? createdAt }
}
