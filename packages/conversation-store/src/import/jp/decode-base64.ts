import { isUtf8 } from 'node:buffer'
import { appendPointer } from '@toolblocks/protocol'

/** Which strings of a record were base64, and which should have been and are not: JSON Pointers. */
export interface DecodedStrings {
  decoded: string[]
  undecoded: string[]
}

/** Places that are remembered: there is one for each string of a record, and each repeats the keys above it. */
const MOST_PLACES = 10_000
const LONGEST_PLACE = 4096

/** The text that a string is the base64 of (standard alphabet, padded, canonical); `undefined` where it is none. */
function decodeBase64(text: string): string | undefined {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text && isUtf8(bytes) ? bytes.toString('utf8') : undefined
}

/** Decodes every string in a value that `JSON.parse` made, as far as it is base64; arrays and objects are changed in place. */
export function decodeStrings(value: unknown, path: string, into: DecodedStrings): unknown {
  if (typeof value === 'string') return decodeAt(value, path, into)
  const open = isHolder(value) ? [{ holder: value, path }] : []
  for (let next = open.pop(); next; next = open.pop()) {
    for (const [key, member] of Object.entries(next.holder)) {
      const place = appendPointer(next.path, key)
      if (isHolder(member)) open.push({ holder: member, path: place })
      else if (typeof member === 'string')
        // Not an assignment: to `__proto__` it would change the object itself.
        Object.defineProperty(next.holder, key, { value: decodeAt(member, place, into) })
    }
  }
  return value
}

function decodeAt(text: string, path: string, { decoded, undecoded }: DecodedStrings): string {
  const plain = decodeBase64(text)
  const places = plain === undefined ? undecoded : decoded
  if (places.length < MOST_PLACES && path.length < LONGEST_PLACE) places.push(path)
  return plain ?? text
}

function isHolder(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
