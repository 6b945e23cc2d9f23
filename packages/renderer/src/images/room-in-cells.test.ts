import { expect, test } from 'vitest'
import { roomInCells } from './room-in-cells.ts'

test.for([
  [1, 1, 1, 1],
  [16, 16, 2, 1],
  [80, 64, 10, 4],
  [160, 64, 10, 2],
  [80, 128, 5, 4],
  [400, 100, 10, 1],
  [10, 1000, 1, 4],
] as const)(
  'a picture of %d × %d pixels takes %d × %d cells of ten columns and four rows',
  (sizes) => {
    const [width, height, columns, rows] = sizes
    expect(roomInCells({ width, height }, { columns: 10, rows: 4 })).toEqual({ columns, rows })
  },
)
