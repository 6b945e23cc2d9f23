import { sniffMimeType } from '@toolblocks/media-type'
import { toTerminalText } from '../terminal-text.ts'
import type { ImageWriter } from '../terminal/image-writer.ts'
import { readPngSize } from './read-png.ts'
import { roomInCells } from './room-in-cells.ts'

const READ_BY_ITERM: ReadonlySet<string | undefined> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
])
const LONGEST = 12_000_000

/** A picture by the protocol of iTerm2, whose first bytes are those of one. */
export const writeIterm: ImageWriter = ({ base64 }, room) => {
  if (base64.length > LONGEST) return undefined
  const bytes = Buffer.from(base64, 'base64')
  const type = sniffMimeType(bytes.subarray(0, 16))
  const png = type === 'image/png' ? readPngSize(base64) : undefined
  if (!READ_BY_ITERM.has(type) || (type === 'image/png' && !png)) return undefined
  const { columns, rows } = png ? roomInCells(png, room) : { columns: 'auto', rows: room.rows }
  const keys = `inline=1;size=${bytes.length};width=${columns};height=${rows};preserveAspectRatio=1`
  return toTerminalText(`\u001B]1337;File=${keys}:${bytes.toString('base64')}\u0007`)
}
