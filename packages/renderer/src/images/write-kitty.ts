import { toTerminalText } from '../terminal-text.ts'
import type { ImageWriter } from '../terminal/image-writer.ts'
import { readPngSize } from './read-png.ts'
import { roomInCells } from './room-in-cells.ts'

/** Characters that one sequence may carry. */
const CHUNK = 4096

/** A PNG by kitty's graphics protocol, which says nothing back (`q=2`): an answer would be read as typed. */
export const writeKitty: ImageWriter = ({ base64 }, room) => {
  const png = readPngSize(base64)
  if (!png) return undefined
  const { columns, rows } = roomInCells(png, room)
  // Written anew, so that nothing but base64 is within.
  const chunks = png.bytes.toString('base64').match(new RegExp(`.{1,${CHUNK}}`, 'g')) ?? []
  const sequences = chunks.map((chunk, index) => {
    const more = index === chunks.length - 1 ? 0 : 1
    const keys = index === 0 ? `a=T,f=100,q=2,c=${columns},r=${rows},m=${more}` : `q=2,m=${more}`
    return `\u001B_G${keys};${chunk}\u001B\\`
  })
  return toTerminalText(sequences.join(''))
}
