import { printableJson, type TerminalText } from '@toolblocks/protocol'
import type { RenderContext } from '../render-context.ts'
import { renderText } from '../text/render-text.ts'
import { toJson } from './to-json.ts'

/** A value as indented JSON, in which what does not print is escaped; what is no JSON is said. */
export function renderJson(value: unknown, context: RenderContext): TerminalText {
  const json = toJson(value, 2)
  if (json !== undefined) return renderText(printableJson(json), context)
  return context.style.dim('(structured content that is no JSON)')
}
