import type { TerminalText } from '@toolblocks/protocol'

/** A picture of a tool: nobody has checked that it is one. */
export interface ShownImage {
  base64: string
  mimeType: string | undefined
}

/** Columns and rows that a picture may take. */
export interface ImageRoom {
  columns: number
  rows: number
}

/** Writes a picture for a terminal; undefined for one that it cannot read. */
export type ImageWriter = (image: ShownImage, room: ImageRoom) => TerminalText | undefined
