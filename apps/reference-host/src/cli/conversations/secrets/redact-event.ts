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
  if (scrubber.json(written) === written) return event
  const redacted = redactPart(event, { field: '', depth: 0 }, scrubber)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is the event, with other texts
  return redacted as Event
}

/** Fields whose texts say what a part of an event is, if they are words of its format. */
const KEPT = new Set(['type', 'role', 'decision', 'outcome', 'kind'])
const FORMAT_WORD = /^[a-z]+(?:[._-][a-z]+)*$/

/** Fields that connect events. Only the event and its own parts have them: a tool may name a field of a block so. */
const IDS = new Set(['id', 'callId'])

/** Fields with data of tools and clients, in which the names of fields are free too. */
const FREE = new Set(['arguments', 'structuredContent', '_meta', 'schema', 'value'])

function redactPart(
  part: unknown,
  { field, depth }: { field: string; depth: number },
  scrubber: Scrubber,
): unknown {
  if (FREE.has(field) || typeof part === 'string') return redactJson(part, scrubber)
  if (Array.isArray(part))
    return part.map((each) => redactPart(each, { field: '', depth: depth + 2 }, scrubber))
  if (!isJsonObject(part)) return part
  return Object.fromEntries(
    Object.entries(part).flatMap(([name, each]) => {
      // The digest of an output proves a guess of what was removed.
      if (field === 'metadata' && name === 'raw') return []
      const isId = depth < 2 && (IDS.has(name) || (field === 'call' && name === 'name'))
      const isKept =
        typeof each === 'string' && (isId || (KEPT.has(name) && FORMAT_WORD.test(each)))
      return [[name, isKept ? each : redactPart(each, { field: name, depth: depth + 1 }, scrubber)]]
    }),
  )
}

function redactJson(part: unknown, scrubber: Scrubber): unknown {
  if (part === undefined) return undefined
  const written = Buffer.from(JSON.stringify(part))
  const scrubbed = scrubber.json(written)
  return scrubbed === written ? part : JSON.parse(Buffer.from(scrubbed).toString())
}
