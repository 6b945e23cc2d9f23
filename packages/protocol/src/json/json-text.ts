import { MAX_JSON_DEPTH, MAX_JSON_NODES } from '../limits/limits.ts'
import type { JsonValue } from './json.ts'

const QUOTE = 0x22

const COMMA = 0x2c

const SPACE = 0x20

const OPEN_BRACKET = 0x5b

const CLOSE_BRACKET = 0x5d

const OPEN_BRACE = 0x7b

const CLOSE_BRACE = 0x7d

/** The size of a JSON text, and the limit that it exceeds. */
export interface JsonScan {
  /** The number of its values, without keys, up to the exceeded limit. */
  nodes: number
  /** The exceeded limit. Absent: none. */
  exceeds?: 'depth' | 'nodes'
}

/**
 * Counts the values of a JSON text and finds an exceeded limit without parsing: one pass, no memory. It is exact for valid JSON. For other text any
 * result will do, because parsing fails afterwards.
 */
export function scanJson(
  text: string,
  mostNodes: number = MAX_JSON_NODES,
  mostDepth: number = MAX_JSON_DEPTH,
): JsonScan {
  let depth = 0
  let nodes = 1
  let afterOpening = false
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code <= SPACE) continue
    if (code === CLOSE_BRACKET || code === CLOSE_BRACE) {
      depth -= 1
      afterOpening = false
      continue
    }
    // A container's first child and every comma start one value.
    if (afterOpening || code === COMMA) nodes += 1
    afterOpening = code === OPEN_BRACKET || code === OPEN_BRACE
    if (afterOpening) depth += 1
    if (depth > mostDepth) return { nodes, exceeds: 'depth' }
    if (nodes > mostNodes) return { nodes, exceeds: 'nodes' }
    if (code === QUOTE) index = findJsonStringEnd(text, index)
  }
  return { nodes }
}

/** Parses a JSON text; `undefined` if it is invalid. As in `JSON.parse`, the last of repeated members counts. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(text)
    return value
  } catch {
    return undefined
  }
}

const BACKSLASH = 0x5c

/** Returns the index of the quote that ends the string starting at `start`; the text's length if there is none. */
export function findJsonStringEnd(text: string, start: number): number {
  let end = start
  do {
    end = text.indexOf('"', end + 1)
    if (end === -1) return text.length
  } while (isEscapedInJson(text, end))
  return end
}

/** Whether an odd number of backslashes precedes an index. */
export function isEscapedInJson(text: string, index: number): boolean {
  let first = index
  while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1
  return (index - first) % 2 === 1
}

/** Whether a character is JSON white space: space, tab, line feed, carriage return. */
export function isJsonWhiteSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d
}

/**
 * Characters that a terminal or an editor would execute, reorder or hide: controls, format characters (zero-width, bidirectional, tags), line
 * separators, characters without a glyph, noncharacters. JSON has line feeds only between its values.
 */
const UNPRINTABLE =
  /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu

/** Returns JSON as printable text: unprintable characters in its strings become `\uXXXX`. It parses to the same value. */
export function escapeUnprintable(json: string): string {
  return json.replaceAll(UNPRINTABLE, escapeUnits)
}

function escapeUnits(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('')
}
