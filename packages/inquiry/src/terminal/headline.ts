import type { RenderLine, TerminalText } from '@toolblocks/protocol'
import { renderWhole } from './prompts/render-whole.ts'
import { words } from './prompts/words.ts'

/** The line a prompt is known by. */
export interface Headline {
  label: TerminalText
  /** `begun`: it is the beginning only, and the whole has to be shown above. */
  extent: 'whole' | 'begun'
}

/** Characters of a text that is longer than a line. */
const BEGINNING = 60

/** Makes a text the line of a prompt, as long as nothing of it is lost that way. */
export function headlineOf(text: string, renderLine: RenderLine): Headline {
  const line = renderLine(text)
  const isLine = !/[\r\n]/.test(text) && line === renderWhole(text, renderLine)
  if (isLine) return { label: line, extent: 'whole' }
  const [first = ''] = text.trim().split(/\r?\n/)
  const beginning = Array.from(first).slice(0, BEGINNING).join('')
  return { label: words`${renderLine(beginning)} …`, extent: 'begun' }
}
