import type { JsonObject } from '@toolblocks/protocol'
import type { ConversationEvent } from '../events/conversation-event.ts'
import type { FormatName } from '../events/format-name.ts'

/** A record that no event stands for, as it was. A store reads it as an event of a type it does not know. */
export interface ImportedRecord {
  type: 'imported_record'
  format: FormatName
  record: JsonObject
}

/** What an event has beside it because it was imported. */
export interface ImportDetails {
  /** On the first event: what the source says of the conversation, its title for example. */
  about?: JsonObject
  /** Fields of the record that an event has no place for. */
  fields?: JsonObject
  /** Strings that were base64 in the record and are decoded in the event: JSON Pointers into the record. */
  decoded?: readonly string[]
  /** Strings that would be base64 and are none: kept as they were. JSON Pointers into the record. */
  undecoded?: readonly string[]
}

/** An event made from a record of another system. */
export type ImportedEvent = (ConversationEvent | ImportedRecord) & { imported?: ImportDetails }

/** An event with its time, and the bytes of its record. */
export interface DatedImport {
  event: ImportedEvent
  /** ISO 8601. */
  at: string
  /** Absent behind the first event of a record. */
  original?: Uint8Array
}

export function isImportedRecord(event: { type: string }): event is ImportedRecord {
  return event.type === 'imported_record'
}
