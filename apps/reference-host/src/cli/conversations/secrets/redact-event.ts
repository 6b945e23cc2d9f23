import { Buffer } from 'node:buffer'
import { isJsonObject } from '@toolblocks/protocol'
import { createScrubber, joinScrubbers, type Scrubber } from '@toolblocks/conversation-store/scrub'

/** The minimum length of a value that can be distinguished from other text. */
const MIN_LENGTH = 6

/** Whether a value is long enough to be removed. */
export function isRemovable(value: string): boolean {
  return value.length >= MIN_LENGTH
}

/** Creates a scrubber of all values that are long enough. */
export function createRedactor(values: readonly string[]): Scrubber {
  return joinScrubbers(values.filter(isRemovable).map((value) => createScrubber(value, 'exact')))
}

/**
 * Returns the event without what the scrubber removes; the same object if nothing was found. How an event is written stays, whatever a tool prints: the names
 * of its fields, its types and ids, and the name of a called tool.
 */
export function redactEvent<Event extends object>(event: Event, scrubber: Scrubber): Event {
  const written = Buffer.from(JSON.stringify(event))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is the event, with other texts
  return scrubber.json(written) === written ? event : (redactPart(event, '', scrubber) as Event)
}

/** Fields whose texts say what an event is. */
const KEPT = new Set(['type', 'id', 'callId', 'role', 'decision', 'outcome', 'kind'])
/** Fields with data of tools and clients, in which the names of fields are free too. */
const FREE = new Set(['arguments', 'structuredContent', '_meta', 'schema', 'value'])

function redactPart(part: unknown, field: string, scrubber: Scrubber): unknown {
  if (FREE.has(field) || typeof part === 'string') return redactJson(part, scrubber)
  if (Array.isArray(part)) return part.map((each) => redactPart(each, '', scrubber))
  if (!isJsonObject(part)) return part
  return Object.fromEntries(
    Object.entries(part).map(([name, each]) => {
      const isKept =
        typeof each === 'string' && (KEPT.has(name) || (field === 'call' && name === 'name'))
      return [name, isKept ? each : redactPart(each, name, scrubber)]
    }),
  )
}

function redactJson(part: unknown, scrubber: Scrubber): unknown {
  if (part === undefined) return undefined
  const written = Buffer.from(JSON.stringify(part))
  const scrubbed = scrubber.json(written)
  return scrubbed === written ? part : JSON.parse(Buffer.from(scrubbed).toString())
}
