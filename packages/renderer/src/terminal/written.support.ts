import type { ShownPart } from '../show/shown-part.ts'
import { type RenderOptions, createWriteContext } from './terminal-context.ts'
import { renderPart } from './render-part.ts'

/** The rendering of a part, with colours as `{31}` and links as `{link …}`. */
export function writtenPart(part: ShownPart, options: RenderOptions = {}): string {
  return (
    renderPart(part, createWriteContext(options))
      // oxlint-disable-next-line no-control-regex -- colours begin with it
      .replaceAll(/\u001B\[(\d+)m/g, '{$1}')
      // oxlint-disable-next-line no-control-regex -- links do, too
      .replaceAll(/\u001B\]8;;([^\u001B]*)\u001B\\/g, (_, uri) =>
        uri ? `{link ${uri}}` : '{/link}',
      )
  )
}
