import { MAX_JSON_DEPTH, MAX_JSON_NODES } from '../limits.ts'
import { endOfJsonString } from './json-string.ts'

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
    if (code === QUOTE) at = endOfJsonString(text, at)
  }
  return { nodes }
}
