import { getErrorText } from '@toolblocks/protocol/internal'
import type { ConversationEvent } from '@toolblocks/conversation-store'
import type { CallRecord } from '../../workspace/conversations/record-call.ts'
import {
  findSecrets,
  readEventTexts,
  type SearchBounds,
} from '../conversations/secrets/find-secrets.ts'
import { createRedactor, redactEvent } from '../conversations/secrets/redact-event.ts'

/** Milliseconds for the search of the short events of a group, and then of its long ones, and for 256 Ki characters. A client that ends the server does not wait longer. */
const SEARCH_MS = 5000
const PART_MS = 2000

/** Events with less JSON are searched first, so that a long text costs only itself. */
const MAX_SHORT = 16 * 1024

/**
 * Removes probable secrets from the events before they are recorded. The outputs of tools are not kept beside the events. Of an event that could not be
 * searched, only that it was is recorded, and `warn` says so: a tool must not be able to hide its calls.
 */
export function maskRecord(
  { keepBytes: _output, ...record }: CallRecord,
  warn: (message: string) => void,
  bounds: SearchBounds = { partMs: PART_MS, totalMs: SEARCH_MS },
): CallRecord {
  return {
    ...record,
    record: async (...events) => {
      const { searched, secrets, error } = await search(events, bounds)
      const reason = error === undefined ? 'took too long' : `failed: ${error}`
      const omitted = events.length - searched.size
      if (omitted > 0) {
        const which = omitted === 1 ? '1 event' : `${omitted} events`
        warn(`the content of ${which} is not recorded, because the search for secrets ${reason}`)
      }
      const redactor = secrets.length === 0 ? undefined : createRedactor(secrets)
      const masked = events.flatMap((event) => {
        if (!searched.has(event)) return omitContent(event, reason)
        return [redactor ? redactEvent(event, redactor) : event]
      })
      if (masked.length > 0) await record.record(...masked)
    },
  }
}

/** Returns a call or a result without its content. Other events are omitted. */
function omitContent(event: ConversationEvent, reason: string): readonly ConversationEvent[] {
  const text = `(not recorded: the search for secrets ${reason})`
  if (event.type === 'tool_call') {
    const { id, name } = event.call
    return [{ type: 'tool_call', call: { id, name, arguments: { omitted: text } } }]
  }
  if (event.type !== 'tool_result') return []
  const { id, isError } = event.result
  const content = [{ type: 'text', text } as const]
  return [{ type: 'tool_result', result: { ...(id !== undefined && { id }), content, isError } }]
}

const isShort = (event: ConversationEvent): boolean => JSON.stringify(event).length < MAX_SHORT

/** Searches short events, and then long ones. Returns those that were searched to their end, and the secrets of all. */
async function search(
  events: readonly ConversationEvent[],
  bounds: SearchBounds,
): Promise<{
  searched: ReadonlySet<ConversationEvent>
  secrets: readonly string[]
  error?: string
}> {
  const searched = new Set<ConversationEvent>()
  const values: string[] = []
  const { true: short = [], false: long = [] } = Object.groupBy(events, (event) =>
    isShort(event) ? 'true' : 'false',
  )
  try {
    const { totalMs = SEARCH_MS } = bounds
    let until = performance.now() + totalMs
    for (const group of [short, ...long.map((event) => [event])]) {
      const { secrets, missed } = await findSecrets(
        readEventTexts(group),
        // Also the last events of a server that ends are searched.
        new AbortController().signal,
        { ...bounds, totalMs: until - performance.now() },
      )
      if (group === short) until = performance.now() + totalMs
      const left = new Set(missed.map((location) => ('seq' in location ? location.seq : 0)))
      for (const [index, event] of group.entries()) if (!left.has(index + 1)) searched.add(event)
      values.push(...secrets.map(({ value }) => value))
    }
    return { searched, secrets: toOrdered(values) }
  } catch (error) {
    return { searched, secrets: toOrdered(values), error: getErrorText(error) }
  }
}

/** The longest first: if a part of a value were removed first, the rest would not be recognised. */
function toOrdered(values: readonly string[]): readonly string[] {
  return [...new Set(values)].toSorted((one, other) => other.length - one.length)
}
