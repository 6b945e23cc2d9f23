import type { JsonValue, RenderLine, TerminalText } from '@toolblocks/protocol'
import { renderWhole } from './render-whole.ts'
import { joinWords, words } from './words.ts'

/** What is typed in already, or, where a person would not see what it is, a line that tells it instead. */
export interface PreTyped {
  initial?: TerminalText
  details: readonly TerminalText[]
}

/** The longest text that is typed in already, in UTF-16 code units: a few screens. */
const LONGEST = 4000

/**
 * Types a default in where what stands there is exactly what is submitted. One with controls, line ends or what does not
 * show is told in a line above, and the place to type is left empty: untouched, it is never an answer.
 */
export function preType(current: JsonValue | undefined, renderLine: RenderLine): PreTyped {
  if (typeof current !== 'string' && typeof current !== 'number') return { details: [] }
  const text = String(current)
  if (text.length <= LONGEST) {
    const shown = renderWhole(text, renderLine)
    if (shown === text) return { initial: shown, details: [] }
  }
  return { details: [words`not filled in, as it cannot be shown as it is: ${renderLine(text)}`] }
}

/** Types the items of a list in, one in a line, where each can be. */
export function preTypeLines(current: JsonValue | undefined, renderLine: RenderLine): PreTyped {
  const items = Array.isArray(current) ? current.map((item) => preType(item, renderLine)) : []
  const initial = items.flatMap((item) => item.initial ?? [])
  const details = items.flatMap((item) => item.details)
  return details.length > 0 ? { details } : { initial: joinWords(initial, '\n'), details }
}
