import { formatResult } from '@toolblocks/formatter'
import type { ToolResult } from '@toolblocks/protocol'
import { renderTerminal } from '@toolblocks/renderer'
import type { Configuration } from '../configuration/configuration.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** How results are shown: to a person, or as a model receives them. */
export interface ShowOptions {
  configuration: Configuration
  modelView: boolean
}

/** Prints one result as text. */
export function showResult(
  result: ToolResult,
  terminal: Terminal,
  { configuration: { root, format }, modelView }: ShowOptions,
): void {
  if (modelView) {
    const text = formatResult(result, { ...format, root, resourceHeader: 'name' })
    terminal.print(terminal.sanitize(text))
  } else terminal.print(renderTerminal(result, { colors: terminal.colors, root }))
}
