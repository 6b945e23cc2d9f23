import type { StoredEvent } from '@toolblocks/conversation-store'
import { field, isJsonObject, type JsonObject } from '@toolblocks/protocol'

/** One line for records that no event stands for: their own types, each with its number. */
export function describeRecords(events: readonly StoredEvent['event'][]): string {
  return countNames(events.map(typeOfRecord))
}

/** Names one behind the other; one that comes again is said with its number. */
export function countNames(names: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].map(([name, count]) => (count === 1 ? name : `${name} ×${count}`)).join(', ')
}

/** A record as it was written. */
export function recordOf(event: StoredEvent['event']): JsonObject {
  const value = event.type === 'unknown' && isJsonObject(event.value) ? event.value : {}
  const record = field(value, 'record')
  return field(value, 'type') === 'imported_record' && isJsonObject(record) ? record : value
}

/** What the program that wrote a record calls it. */
export function typeOfRecord(event: StoredEvent['event']): string {
  const record = recordOf(event)
  const payload = field(record, 'payload')
  const names = [
    field(record, 'type'),
    field(record, 'subtype') ?? (isJsonObject(payload) ? field(payload, 'type') : undefined),
  ]
  const told = names.filter((name) => typeof name === 'string' && name !== '')
  return told.length === 0 ? 'record' : told.join(' ')
}
