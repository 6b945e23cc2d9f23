import { parseJson, printableJson, type ToolCall } from '@toolblocks/protocol'
import type { ShownPart } from '../shown-part.ts'
import { toJson } from './to-json.ts'

/** The arguments of a call for a person who decides on it: each whole, under its name. */
export function showArguments(values: ToolCall['arguments']): ShownPart[] {
  const entries = Object.entries(values)
  if (entries.length === 0) return [{ kind: 'notice', text: '(no arguments)' }]
  return entries.map(([name, value]) => ({
    kind: 'argument',
    name,
    text: typeof value === 'string' && !isMistakable(value) ? value : jsonOf(value),
  }))
}

/** Text that without its quotes would pass for something else, or for nothing. */
function isMistakable(text: string): boolean {
  if (text === '' || text.trim() !== text) return !text.includes('\n')
  return parseJson(text) !== undefined
}

function jsonOf(value: unknown): string {
  return printableJson(toJson(value, 2) ?? '(no JSON)')
}
