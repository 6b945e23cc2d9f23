import { type ContentBlock, MAX_CONTENT_BLOCKS } from '@toolblocks/protocol'
import { readBlock } from '../blocks/read-block.ts'
import { type Reading, warn } from '../reading.ts'

/** Reads the blocks of a `content` array, in order. */
export function readContent(content: readonly unknown[], reading: Reading): ContentBlock[] {
  const given = withinLimit(content, reading)
  const blocks: ContentBlock[] = []
  for (let index = 0; index < given.length; index += 1) {
    reading.block = index
    const block = readBlock(given[index], reading)
    if (block) blocks.push(block)
  }
  reading.block = undefined
  reading.nodes += given.length
  return blocks
}

function withinLimit(content: readonly unknown[], reading: Reading): readonly unknown[] {
  if (content.length <= MAX_CONTENT_BLOCKS) return content
  reading.exceeded ??= 'blocks'
  warn(reading, {
    code: 'over-limit',
    at: '/content',
    message: `The blocks after the first ${MAX_CONTENT_BLOCKS} were left out.`,
    expected: `at most ${MAX_CONTENT_BLOCKS} blocks`,
    got: `${content.length} blocks`,
  })
  return content.slice(0, MAX_CONTENT_BLOCKS)
}
