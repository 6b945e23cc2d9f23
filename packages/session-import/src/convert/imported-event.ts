import type { ConversationEvent, FormatName, UnknownEvent } from '@toolblocks/conversation-store'
import type { UnfinishedCall } from '@toolblocks/conversation-store/internal'
import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { getOwnField } from '@toolblocks/protocol/internal'

/** A record for which no event exists, unchanged. A store reads it as an event of an unknown type. */
export interface ImportedRecord {
  type: 'imported_record'
  format: FormatName
  record: JsonObject
}

/** Additional fields of an imported event. */
export interface ImportDetails {
  /** On the first event: what the source states about the conversation, for example its title. */
  about?: JsonObject
  /** Fields of the record for which an event has no place. */
  fields?: JsonObject
  /** The name of the agent whose words, call or result it is, if the conversation of another model started it. */
  agent?: string
  /** On a call for which the source has no result: what the source states of it. */
  unfinished?: UnfinishedCall
  /** On a rewind that no record states: the program continued at another place than after the record before. */
  wentBack?: true
  /** Strings that were base64 in the record and are decoded in the event: JSON Pointers into the record. */
  decoded?: readonly string[]
  /** Strings that should be base64 but are not; they were kept unchanged. JSON Pointers into the record. */
  undecoded?: readonly string[]
}

/** An event that was made from a record of another system. */
export type ImportedEvent = (ConversationEvent | ImportedRecord) & { imported?: ImportDetails }

type WayBack = Extract<ConversationEvent, { type: 'rewind' }> & { imported?: ImportDetails }

/** Creates the rewind to an event, after which a program of another system continued. */
export function createWayBack(to: number): WayBack {
  return { type: 'rewind', to, imported: { wentBack: true } }
}

/** Whether an event is a rewind of an import. */
export function isWayBack(event: ImportedEvent | UnknownEvent | undefined): event is WayBack {
  const imported = event?.type === 'rewind' ? getOwnField(event, 'imported') : undefined
  return isJsonObject(imported) && getOwnField(imported, 'wentBack') === true
}
