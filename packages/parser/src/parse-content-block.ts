import type { ContentBlock, Problem } from '@toolblocks/protocol'
import { readBlock } from './blocks/read-block.ts'
import { type ResultSource, type WarningCode, startReading } from './reading/reading.ts'

/** What came of reading one block. */
export interface ParsedContentBlock {
  /** Absent where the block had to be skipped. */
  block?: ContentBlock
  /** Paths are relative to the block. */
  warnings: readonly Problem<WarningCode>[]
}

/**
 * Reads one content block, as JSON gives it. A valid block comes back as the same object; a repaired one as a copy; one
 * that cannot be read not at all, with a warning that says why. Never throws. The blocks are those of docs/protocol.md.
 */
export function parseContentBlock(
  value: unknown,
  { from = 'tool' }: { from?: ResultSource } = {},
): ParsedContentBlock {
  const reading = startReading(from, 'value')
  const block = readBlock(value, reading)
  return { ...(block && { block }), warnings: reading.warnings }
}
