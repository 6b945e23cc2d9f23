import { requireChoices } from '@toolblocks/protocol/internal'
import type { ContentBlock, Problem } from '@toolblocks/protocol'
import { readBlock } from './blocks/read-block.ts'
import { type ResultSource, type WarningCode, startReading } from './reading/reading.ts'

/** The result of reading one block. */
export interface ParsedContentBlock {
  /** Absent if the block was skipped. */
  block?: ContentBlock
  /** The warnings. Paths are relative to the block. */
  warnings: readonly Problem<WarningCode>[]
}

/**
 * Reads one content block from a JSON value. A valid block returns the same object, a repaired one a copy. A block that cannot be read is skipped,
 * with a warning that says why. Never throws. docs/protocol.md defines the blocks.
 */
export function parseContentBlock(
  value: unknown,
  options: { from?: ResultSource } = {},
): ParsedContentBlock {
  requireChoices('parseContentBlock(value, options)', 'options', options, { from: ['mcp', 'tool'] })
  const { from = 'tool' } = options
  const reading = startReading(from, 'value')
  const block = readBlock(value, reading)
  return { ...(block && { block }), warnings: reading.warnings }
}
