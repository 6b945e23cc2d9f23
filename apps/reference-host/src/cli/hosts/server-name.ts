import { escapeUnprintable, quoteName } from '@toolblocks/protocol/internal'
import type { Terminal } from '../../terminal/terminal.ts'
import { EXIT } from '../../process/exit-codes.ts'

/** Whether a name has a character that a line cannot show: a line break, a control, or one without a glyph. */
function isOdd(name: string): boolean {
  return name.includes('\n') || escapeUnprintable(name) !== name
}

/** Returns a name of a host's file for a line: as it is, or as JSON if it has a line break or another character that a line cannot show. */
export function formatName(name: string): string {
  return isOdd(name) ? quoteName(name) : name
}

/** Returns a server's name, with the project if the host has it only there. */
export function describePlace({ name, project }: { name: string; project?: string }): string {
  return project === undefined ? formatName(name) : `${formatName(name)} of ${formatName(project)}`
}

/** Reports a name that no server of a host can have. Returns the exit code; `undefined` if the name is one. */
export function refuseName(terminal: Terminal, name: string): number | undefined {
  if (!isOdd(name)) return undefined
  terminal.report(
    'error',
    `--name: expected a name without line breaks and control characters, got ${formatName(name)}`,
  )
  return EXIT.usage
}
