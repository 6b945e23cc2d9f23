import { codeFence } from '../markdown/code-fence.ts'
import { oneLine } from '../one-line.ts'
import type { Part } from '../parts.ts'
import { type Delivered, valueForPerson } from './choose-delivered.ts'

/** Structured content as a block of JSON, or as one line that names it. */
export function formatStructured(
  value: unknown,
  delivered: Delivered['structured'],
): readonly Part[] {
  switch (delivered) {
    case 'none':
      return []
    case 'named':
      return [{ from: 'host', text: nameStructured(value) }]
    case 'whole':
      return [{ from: 'host', text: formatJson(value) }]
  }
}

function nameStructured(given: unknown): string {
  const value = valueForPerson(given)
  if (!value) return '[structured content, not shown here]'
  const summary = oneLine(value.summary ?? '')
  const facts = summary === '' ? [value.kind] : [value.kind, summary]
  const isHidden = value.display?.preferredView === 'hidden'
  return `[structured content, ${isHidden ? 'hidden from' : 'shown to'} the person: ${facts.join(', ')}]`
}

/** What is no JSON is said, not dropped. */
function formatJson(value: unknown): string {
  try {
    const json: unknown = JSON.stringify(value)
    if (typeof json === 'string') return codeFence(json, 'json')
  } catch {
    // Cycles and big integers, which only an in-process tool can return.
  }
  return '[structured content that is no JSON]'
}
