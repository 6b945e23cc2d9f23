import { MAX_JSON_DEPTH, MAX_JSON_NODES } from '@toolblocks/protocol'
import type { Limit } from '../reading.ts'
import { endOfString } from './json-string.ts'

const quote = 0x22
const comma = 0x2c
const space = 0x20
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/**
 * Finds the limit that a JSON text breaks, without parsing it: one pass, no memory. Exact for valid JSON; for anything
 * else the answer only has to come, because parsing fails afterwards.
 */
export function scanJson(text: string): Extract<Limit, 'depth' | 'nodes'> | undefined {
  let depth = 0
  let nodes = 1
  let afterOpening = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code <= space) continue
    if (code === closeBracket || code === closeBrace) {
      depth -= 1
      afterOpening = false
      continue
    }
    // A container's first child and every comma announce one value.
    if (afterOpening || code === comma) nodes += 1
    afterOpening = code === openBracket || code === openBrace
    if (afterOpening) depth += 1
    if (depth > MAX_JSON_DEPTH) return 'depth'
    if (nodes > MAX_JSON_NODES) return 'nodes'
    if (code === quote) at = endOfString(text, at)
  }
  return undefined
}
