import type { TerminalText } from '@toolblocks/protocol'
import { joinTerminal } from '../../compose/compose-terminal.ts'
import type { ShownPart } from '../../show/shown-part.ts'
import type { WriteContext } from './write-context.ts'
import { writeFacts } from './values/write-facts.ts'

const MOST_COLUMNS = 60
const MOST_ROWS = 20

/** What is known of a picture, a sound or a file in one line, and below it a picture where the terminal shows them. */
export function writeMedia(
  part: Extract<ShownPart, { kind: 'media' }>,
  context: WriteContext,
): TerminalText {
  const line = writeFacts(part, context)
  const { media, base64, mimeType } = part
  if (media !== 'image' || base64 === undefined) return line
  const room = { columns: Math.min(MOST_COLUMNS, context.columns), rows: MOST_ROWS }
  const image = context.images?.({ base64, mimeType }, room)
  return image === undefined ? line : joinTerminal([line, image], '\n')
}
