import { MAX_JSON_DEPTH, MAX_JSON_NODES } from '../limits/limits.ts'
import type { JsonValue } from './json.ts'

const QUOTE = 0x22

const COMMA = 0x2c

const SPACE = 0x20

const OPEN_BRACKET = 0x5b

const CLOSE_BRACKET = 0x5d

const OPEN_BRACE = 0x7b

const CLOSE_BRACE = 0x7d

/** What a JSON text holds, and which limit it breaks. */
export interface JsonScan {
  /** Its values, keys not counted; up to the place where a limit is broken. */
  nodes: number
  /** The limit that is broken. Absent: no limit is. */
  exceeds?: 'depth' | 'nodes'
}

/**
 * Counts the values of a JSON text and finds the limit that it breaks, without parsing it: one pass, no memory. Exact for valid JSON; for
 * anything else the answer only has to come, because parsing fails afterwards.
 */
export function scanJson(text: string, mostNodes: number = MAX_JSON_NODES): JsonScan {
  let depth = 0
  let nodes = 1
  let afterOpening = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code <= SPACE) continue
    if (code === CLOSE_BRACKET || code === CLOSE_BRACE) {
      depth -= 1
      afterOpening = false
      continue
    }
    // A container's first child and every comma announce one value.
    if (afterOpening || code === COMMA) nodes += 1
    afterOpening = code === OPEN_BRACKET || code === OPEN_BRACE
    if (afterOpening) depth += 1
    if (depth > MAX_JSON_DEPTH) return { nodes, exceeds: 'depth' }
    if (nodes > mostNodes) return { nodes, exceeds: 'nodes' }
    if (code === QUOTE) at = findJsonStringEnd(text, at)
  }
  return { nodes }
}

/** The value of a JSON text; `undefined` where it is none. As in `JSON.parse`, the last of repeated members counts. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(text)
    return value
  } catch {
    return undefined
  }
}

const BACKSLASH = 0x5c

/** The place of the quote that ends the string which starts with the quote at `start`; the text's length if none does. */
export function findJsonStringEnd(text: string, start: number): number {
  let end = start
  do {
    end = text.indexOf('"', end + 1)
    if (end === -1) return text.length
  } while (isEscapedInJson(text, end))
  return end
}

/** Whether an odd number of backslashes stands before a place. */
export function isEscapedInJson(text: string, at: number): boolean {
  let first = at
  while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1
  return (at - first) % 2 === 1
}

/** White space as JSON has it: space, tab, line feed, carriage return. */
export function isJsonWhiteSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d
}

/**
 * What a terminal or an editor would obey, reorder or not show: controls, format characters (zero-width, bidirectional, tags),
 * line separators, characters without a glyph, noncharacters. Line feeds of JSON stand between its values only.
 */
const UNPRINTABLE =
  /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu

/** JSON as printable text: inside its strings, what does not print is written as `\uXXXX`. It parses to the same value. */
export function escapeUnprintable(json: string): string {
  return json.replaceAll(UNPRINTABLE, escapeUnits)
}

function escapeUnits(character: string): string {
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('')
}
