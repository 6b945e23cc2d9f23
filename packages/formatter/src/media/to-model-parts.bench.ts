import { createRequire } from 'node:module'
import { createMCPClient, type MCPTransport } from '@ai-sdk/mcp'
import type { ToolResult } from '@toolblocks/protocol'
import { test } from 'vitest'
import type * as anthropic from '../anthropic.ts'
import type * as formatter from '../index.ts'
import { EVERY_KIND } from '../testing/every-kind.suite.ts'

// Node itself loads the formatter. In the runner, every import would be a proxy.
const require = createRequire(import.meta.url)
const { formatResult, toModelParts }: typeof formatter = require('@toolblocks/formatter')
const {
  anthropicProfile,
  toAnthropicRequest: toRequest,
}: typeof anthropic = require('@toolblocks/formatter/anthropic')

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

const blocksAnew = (): ToolResult => ({
  ...result,
  content: content.map((block) => ({ ...block })),
})

// The goal is 5 µs for a delivered result. Its text is formatted once, the rest in every request.
test('converts a result with a block of every kind for a provider', async ({ bench }) => {
  const toModelOutput = await mapOfAiSdk()
  const output = JSON.parse(JSON.stringify(result))
  await bench.compare(
    bench('toModelParts, delivered before', () =>
      void toModelParts(result, anthropicProfile, { text })),
    bench('toModelParts, for the first time', () =>
      void toModelParts(blocksAnew(), anthropicProfile, { text })),
    bench('toModelParts, with its text', () => void toModelParts(result, anthropicProfile)),
    bench('a request with it, for Anthropic', () => void toRequest(request)),
    bench('toModelOutput of @ai-sdk/mcp: one map of the blocks, which keeps less', () =>
      void toModelOutput({ toolCallId: 'a', input: {}, output })),
  )
})

/** How a client tool of the AI SDK converts a result. */
async function mapOfAiSdk() {
  const transport: MCPTransport = {
    start: async () => {},
    close: async () => {},
    send: async (message) => {
      if (!('method' in message) || !('id' in message)) return
      const serverInfo = { name: 'x', version: '1' }
      const capabilities = { tools: {} }
      const answer = { protocolVersion: '2025-06-18', capabilities, serverInfo }
      transport.onmessage?.({ jsonrpc: '2.0', id: message.id, result: answer })
    },
  }
  const client = await createMCPClient({ transport })
  const tools = client.toolsFromDefinitions({
    tools: [{ name: 'look', inputSchema: { type: 'object' } }],
  })
  const { toModelOutput } = tools['look']!
  if (!toModelOutput) throw new Error('@ai-sdk/mcp has no toModelOutput')
  return toModelOutput
}
