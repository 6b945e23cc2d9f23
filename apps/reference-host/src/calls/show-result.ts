import { formatResult } from '@toolblocks/formatter'
import type { ToolResult } from '@toolblocks/protocol'
import type { Configuration } from '../configuration/configuration.ts'
import { showToPerson } from '../terminal/show-to-person.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** How results were asked to be shown. */
export interface ViewOptions {
  modelView?: boolean
  /** Lines of one block that are shown. */
  lines?: number
  /** Also what the tool printed on standard error. */
  verbose?: boolean
}

/** Prints one result as text: to a person, or as a model receives it. */
export function showResult(
  result: ToolResult,
  terminal: Terminal,
  {
    configuration: { root, format },
    view: { modelView, lines, verbose },
  }: { configuration: Configuration; view: ViewOptions },
): void {
  if (modelView) {
    const text = formatResult(result, { ...format, root, resourceHeader: 'name' })
    terminal.print(terminal.sanitize(text))
  } else showToPerson(result, terminal, { root, lines, stderr: verbose ? 'show' : 'name' })
}
