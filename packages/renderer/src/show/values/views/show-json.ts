import { printableJson } from '@toolblocks/protocol'
import type { ValueContext } from '../../context/show-context.ts'
import type { ShownPart } from '../../shown-part.ts'
import { toJson } from '../to-json.ts'

/** A value as indented JSON, in which what does not print is escaped; what is no JSON is said. */
export function showJson(value: unknown, { cut }: Pick<ValueContext, 'cut'>): ShownPart {
  const json = toJson(value, 2)
  if (json !== undefined) return { kind: 'text', ...cut(printableJson(json)) }
  return { kind: 'notice', text: '(structured content that is no JSON)' }
}
