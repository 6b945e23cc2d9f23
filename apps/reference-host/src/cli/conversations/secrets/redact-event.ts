import { Buffer } from 'node:buffer'
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

/** Returns the event without what the scrubber removes; the same object if nothing was found. */
export function redactEvent<Event extends object>(event: Event, scrubber: Scrubber): Event {
  const written = Buffer.from(JSON.stringify(event))
  const scrubbed = scrubber.json(written)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is the event, with other texts
  return scrubbed === written ? event : (JSON.parse(Buffer.from(scrubbed).toString()) as Event)
}
