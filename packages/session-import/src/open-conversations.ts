import type { ConversationStore } from '@toolblocks/conversation-store'
import { openEvents } from '@toolblocks/conversation-store/internal'
import { requireArguments } from '@toolblocks/protocol/internal'
import { compareStored } from './compare-stored.ts'
import type { ImportedRecord } from './convert/imported-event.ts'
import type { DatedImport, ReadConversation } from './convert/read-conversation.ts'
import { getConversationIds, toDatedEvent } from './import-conversation.ts'

/**
 * Opens conversations that were read as a store that can only be read. It returns the same as a store into which they were imported, but keeps nothing
 * beside them: an event is converted when it is read. Conversations with the same id get the ids that an import would give them. `originals`: whether
 * the events that are read have the bytes of their records; default: `read`. A page without a limit may have fewer events than that of another store.
 */
export async function openConversations(
  conversations: readonly ReadConversation[],
  { originals = 'read' }: { originals?: 'read' | 'omit' } = {},
): Promise<ConversationStore> {
  requireArguments('openConversations(conversations)', [conversations, 'array'])
  const byId = new Map<string, ConversationEvents>()
  for (const read of conversations) placeConversation(byId, read)
  const opened = [...byId].map(([id, { format, events }]) => ({
    id,
    length: events.length,
    get: (index: number) => {
      const { event, at } = getEvent(events, index)
      return toDatedEvent({ event, at })
    },
    getOriginal: (index: number) => getEvent(events, index).original,
    getInstead: () => {
      // No store keeps the content of the record.
      const event: ImportedRecord = { type: 'imported_record', format, record: {} }
      return toDatedEvent({ event, at: '' }).event
    },
  }))
  const bytes = conversations.flatMap(({ rawOutputs = [] }) => rawOutputs)
  return await openEvents(opened, { originals, bytes })
}

/** The events of a conversation under one id. */
type ConversationEvents = Pick<ReadConversation, 'format' | 'events'>

/** Puts a conversation under the first id that is free, or whose conversation it continues. */
function placeConversation(byId: Map<string, ConversationEvents>, read: ReadConversation): void {
  for (const id of getConversationIds(read)) {
    const kept = byId.get(id)
    const stored = kept?.events.map((each, index) => ({
      seq: index + 1,
      ...toDatedEvent(each),
    }))
    const part = compareStored(stored ?? [], read)
    if (!part) continue
    const events = kept ? [...kept.events, ...part.rest] : read.events
    if (events.length > 0) byId.set(id, { format: kept?.format ?? read.format, events })
    return
  }
}

function getEvent(events: readonly DatedImport[], index: number): DatedImport {
  const event = events[index]
  if (!event) throw new Error(`There is no event ${index + 1}.`)
  return event
}
