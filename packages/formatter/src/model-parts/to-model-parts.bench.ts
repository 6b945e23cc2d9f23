import { createRequire } from 'node:module'
import type { ToolResult } from '@toolblocks/protocol'
import { test } from 'vitest'
import type * as anthropic from '../anthropic.ts'
import type * as formatter from '../index.ts'
import { EVERY_KIND } from '../testing/every-kind.suite.ts'

// Node itself loads the formatter: through the runner every import would be a proxy.
const require = createRequire(import.meta.url)
const { formatResult, toModelParts }: typeof formatter = require('@toolblocks/formatter')
const { anthropicProfile, toRequest }: typeof anthropic = require('@toolblocks/formatter/anthropic')

const content = ['image', 'audio', 'pdf', 'resource', 'link'].flatMap(
  (name) => EVERY_KIND[name]!.result.content,
)
const result: ToolResult = { content, isError: false }
const text = formatResult(result)
const call = { id: 'a', name: 'look', arguments: {} }
const request: formatter.ModelRequest = {
  messages: [
    { role: 'assistant', content: [], calls: [call] },
    { role: 'tool', results: [{ call, result, text }] },
  ],
  tools: [],
}

// The goal is 5 µs for a result that was delivered: its text is written once, the rest at every request.
test('a result with a block of every kind becomes what a provider takes', async ({ bench }) => {
  await bench.compare(
    bench('toModelParts, delivered before', () =>
      void toModelParts(result, anthropicProfile, { text })),
    bench('toModelParts, with its text', () => void toModelParts(result, anthropicProfile)),
    bench('a request with it, for Anthropic', () => void toRequest(request)),
    bench("@ai-sdk/mcp's map of the blocks, copied, which keeps less", () =>
      void mapBlocks(result)),
  )
})

/** As `mcpToModelOutput` of `@ai-sdk/mcp` 2 does it. */
function mapBlocks({ content: blocks }: ToolResult): object {
  const value = blocks.map((block) => {
    if (block.type === 'text') return { type: 'text', text: block.text }
    if (block.type === 'image')
      return { type: 'file', data: { type: 'data', data: block.data }, mediaType: block.mimeType }
    return { type: 'text', text: JSON.stringify(block) }
  })
  return { type: 'content', value }
}
