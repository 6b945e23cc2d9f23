import type { TerminalText } from '@toolblocks/protocol'
import { joinTerminal } from '../../compose/join-terminal.ts'
import type { RenderContext } from '../render-context.ts'
import type { Shown } from './choose-shown.ts'
import { renderJson } from './render-json.ts'
import { renderValue } from './render-value.ts'

/** Structured content as it was chosen to be shown; empty where there is none. */
export function renderStructured(
  { content, structured }: Shown,
  context: RenderContext,
): TerminalText {
  switch (structured.type) {
    case 'none':
      return joinTerminal([])
    case 'json':
      return renderJson(structured.value, context)
    case 'value':
      return renderValue(structured.value, content, context)
    case 'hidden':
      return context.style.dim(`(${structured.value.kind}: hidden, as the tool asks)`)
  }
}
