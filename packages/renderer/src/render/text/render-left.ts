import type { TerminalText } from '@toolblocks/protocol'
import { wrapTerminal } from '../../compose/wrap-terminal.ts'
import type { RenderContext } from '../render-context.ts'
import { countOf } from './count-of.ts'

/** Says how much was left out, and how to see it. */
export function renderLeft(
  count: number,
  one: string,
  { style, columns, hints }: RenderContext,
  several = `${one}s`,
): TerminalText {
  const how = hints.cut === undefined ? '' : ` (${hints.cut})`
  return wrapTerminal(style.dim(`… ${countOf(count, one, several)}${how}`), columns)
}
