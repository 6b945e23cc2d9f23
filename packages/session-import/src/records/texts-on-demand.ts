import { type JsonObject, isJsonObject } from '@toolblocks/protocol'

/** The place of a string in a value: the keys that lead to it. */
type TextPath = readonly string[]

/** What is said if a record is not in its file any more. */
export const CHANGED = 'the file was changed or replaced after it was read'

/** Returns the bytes of a record, from memory or from its file. */
export type ReadBytes = () => Uint8Array

/** The long texts of a record, which are read from its bytes whenever they are used. */
export interface LongTexts {
  paths: readonly TextPath[]
  read(path: TextPath): string
}

/**
 * Creates a function that takes the long texts out of parsed records. The values stay equal, and a text is read from the bytes of its record again
 * whenever it is used. The last record that was read is kept, because its texts are used one after another.
 */
export function createTextTaker(
  parse: (bytes: Uint8Array) => JsonObject | undefined,
  minLength: number,
): (value: JsonObject, readBytes: ReadBytes) => LongTexts {
  let last: { readBytes: ReadBytes; value: unknown } | undefined
  return (value, readBytes) => {
    const read = (path: TextPath): string => {
      if (last?.readBytes !== readBytes) last = { readBytes, value: parse(readBytes()) }
      const text = path.reduce(getMember, last.value)
      if (typeof text !== 'string') throw new Error(CHANGED)
      return text
    }
    const paths: TextPath[] = []
    visitTexts(value, { minLength, path: [] }, (holder, key, { path }) => {
      const textPath = [...path, key]
      if (readOnDemand(holder, key, { read, path: textPath })) paths.push(textPath)
    })
    return { paths, read }
  }
}

/**
 * Takes those long texts out of the events of a record that the record has too. Others, for example those that were decoded, stay. The events stay
 * equal. Changes the events in place.
 */
export function shareTexts(events: readonly object[], { paths, read }: LongTexts): void {
  const known = new Map(paths.map((path) => [read(path), path]))
  const minLength = Math.min(...[...known.keys()].map(({ length }) => length))
  for (const event of events)
    visitTexts(event, { minLength, path: [] }, (holder, key, { text }) => {
      const path = known.get(text)
      if (path) readOnDemand(holder, key, { read, path })
    })
}

/** Visits the long texts in a value, except those that are read on demand already. */
function visitTexts(
  holder: object,
  { minLength, path }: { minLength: number; path: TextPath },
  visit: (holder: object, key: string, member: { text: string; path: TextPath }) => void,
): void {
  for (const key of Object.keys(holder)) {
    // Reads a member without calling a function.
    const member: unknown = Object.getOwnPropertyDescriptor(holder, key)?.value
    if (typeof member === 'string') {
      if (member.length >= minLength) visit(holder, key, { text: member, path })
    } else if (typeof member === 'object' && member !== null)
      visitTexts(member, { minLength, path: [...path, key] }, visit)
  }
}

/** Replaces a text by a function that returns it. Returns `false` for an object that cannot be changed. */
function readOnDemand(
  holder: object,
  key: string,
  { read, path }: Pick<LongTexts, 'read'> & { path: TextPath },
): boolean {
  // A function that is created here keeps nothing else in memory.
  const get = (): string => read(path)
  return Reflect.defineProperty(holder, key, { get, enumerable: true, configurable: true })
}

function getMember(holder: unknown, key: string): unknown {
  if (Array.isArray(holder)) return holder[Number(key)]
  return isJsonObject(holder) && Object.hasOwn(holder, key) ? holder[key] : undefined
}
