import type { ConversationEvent, DatedEvent } from '../../events/conversation-event.ts'
import type { DatedImport } from '../imported-event.ts'

/** An imported event for `append`: a store keeps events of types that it does not know, as one of a newer version. */
export function toDatedEvent({ event, at, original }: DatedImport): DatedEvent {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an `imported_record` is kept like an event of a newer version
  return { event: event as ConversationEvent, at, ...(original && { original }) }
}
