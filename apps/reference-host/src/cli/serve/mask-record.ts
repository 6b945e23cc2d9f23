import { getErrorText } from '@toolblocks/protocol/internal'
import type { ConversationEvent } from '@toolblocks/conversation-store'
import type { CallRecord } from '../../workspace/conversations/record-call.ts'
import {
  findSecrets,
  readEventTexts,
  type SearchBounds,
} from '../conversations/secrets/find-secrets.ts'
import { createRedactor, redactEvent } from '../conversations/secrets/redact-event.ts'

/** Milliseconds for the search of one group of events. A client that ends the server does not wait longer. */
const SEARCH_MS = 5000

/**
 * Removes probable secrets from the events before they are recorded. The outputs of tools are not kept beside the events. An event that could not be
 * searched is not recorded, and `warn` says so.
 */
export function maskRecord(
  { keepBytes: _output, ...record }: CallRecord,
  warn: (message: string) => void,
  bounds: SearchBounds = { partMs: SEARCH_MS, totalMs: SEARCH_MS },
): CallRecord {
  return {
    ...record,
    record: async (...events) => {
      const { masked, error } = await mask(events, bounds)
      const omitted = events.length - masked.length
      if (omitted > 0) {
        const reason = error === undefined ? 'took too long' : `failed: ${error}`
        const which = omitted === 1 ? '1 event is' : `${omitted} events are`
        warn(`${which} not recorded, because the search for secrets ${reason}`)
      }
      if (masked.length > 0) await record.record(...masked)
    },
  }
}

/** Returns the events that were searched, without their secrets. */
async function mask(
  events: readonly ConversationEvent[],
  bounds: SearchBounds,
): Promise<{ masked: readonly ConversationEvent[]; error?: string }> {
  try {
    const { secrets, missed: unsearched } = await findSecrets(
      readEventTexts(events),
      // Also the last events of a server that ends are searched.
      new AbortController().signal,
      bounds,
    )
    const left = new Set(unsearched.map((location) => ('seq' in location ? location.seq : 0)))
    const searched = events.filter((_event, index) => !left.has(index + 1))
    if (secrets.length === 0) return { masked: searched }
    const redactor = createRedactor(secrets.map(({ value }) => value))
    return { masked: searched.map((event) => redactEvent(event, redactor)) }
  } catch (error) {
    return { masked: [], error: getErrorText(error) }
  }
}
