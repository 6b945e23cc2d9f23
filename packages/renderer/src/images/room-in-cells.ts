import type { ImageRoom } from '../terminal/image-writer.ts'

/** Pixels of a cell, as most terminals have them. */
export const CELL = { width: 8, height: 16 }

/** The columns and rows that a picture takes: no more than there are, and none of it is enlarged. */
export function roomInCells(
  { width, height }: { width: number; height: number },
  { columns, rows }: ImageRoom,
): ImageRoom {
  const scale = Math.min(1, (columns * CELL.width) / width, (rows * CELL.height) / height)
  return {
    columns: Math.max(1, Math.round((width * scale) / CELL.width)),
    rows: Math.max(1, Math.round((height * scale) / CELL.height)),
  }
}
