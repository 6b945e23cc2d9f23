// The same program with the tools of an MCP server through Toolblocks and through `@ai-sdk/mcp`. Only the line that opens the tools differs.
import assert from 'node:assert/strict'
import { createMCPClient } from '@ai-sdk/mcp'
import { createOpenAI } from '@ai-sdk/openai'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import { toAiSdkTools } from '@toolblocks/ai-sdk'
import { connectServer } from '@toolblocks/mcp-bridge'
import { serveHttp } from '@toolblocks/mcp-bridge/server'
import { createSuccessResult } from '@toolblocks/protocol'
import { createToolExecutor } from '@toolblocks/tool-executor'
import { isStepCount, streamText, type ToolSet } from 'ai'

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const served = await serveHttp(
  {
    name: 'camera',
    version: '1.0.0',
    root: process.cwd(),
    definitions: () => [{ name: 'look', inputSchema: { type: 'object', properties: {} } }],
    callTool: async () =>
      createSuccessResult([{ type: 'image', data: PIXEL, mimeType: 'image/png' }]),
  },
  { port: 0 },
)
const headers = { Authorization: `Bearer ${served.token}` }

/** What a program needs from its tools. */
interface OpenedTools {
  tools: ToolSet
  prepareModel: (model: LanguageModelV4) => LanguageModelV4
  close: () => Promise<void>
}

async function openWithToolblocks(): Promise<OpenedTools> {
  const transport = { kind: 'http', url: served.url, headers } as const
  const server = await connectServer({ name: 'camera', transport }, { canAsk: false }, {})
  const executor = createToolExecutor({
    tools: server.tools().map((tool) => ({ tool, policy: 'unattended' })),
  })
  const { tools, prepareModel } = toAiSdkTools(executor, {
    context: { root: process.cwd(), conversationId: 'camera' },
  })
  return { tools, prepareModel, close: async () => await server.close() }
}

async function openWithAiSdk(): Promise<OpenedTools> {
  const client = await createMCPClient({ transport: { type: 'http', url: served.url, headers } })
  const tools = await client.tools()
  return { tools, prepareModel: (model) => model, close: async () => await client.close() }
}

/** Lets OpenAI's Chat API call the tool, and returns the messages of the next request. */
async function run(open: () => Promise<OpenedTools>): Promise<unknown> {
  const { tools, prepareModel, close } = await open()
  const requests: unknown[] = []
  const name = Object.keys(tools).find((each) => each.endsWith('look'))
  const call = { index: 0, id: 'call-1', function: { name, arguments: '{}' } }
  const answers = [
    { delta: { tool_calls: [call] }, finish_reason: 'tool_calls' },
    { delta: { content: 'A dot.' }, finish_reason: 'stop' },
  ]
  const { chat } = createOpenAI({
    apiKey: 'none',
    fetch: async (_url, init) => {
      requests.push(await new Response(init?.body ?? null).json())
      const choices = [{ index: 0, ...answers[requests.length - 1] }]
      const body = `data: ${JSON.stringify({ id: 'x', choices })}\n\ndata: [DONE]\n\n`
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    },
  })
  const turn = streamText({
    model: prepareModel(chat('gpt-4.1')),
    tools,
    prompt: 'What do you see?',
    stopWhen: isStepCount(2),
  })
  assert.equal(await turn.text, 'A dot.')
  await close()
  return requests[1]
}

const ours = JSON.stringify(await run(openWithToolblocks))
const theirs = JSON.stringify(await run(openWithAiSdk))
// The model sees the picture, or it reads its bytes as text.
assert(ours.includes(`"image_url":{"url":"data:image/png;base64,${PIXEL}"`))
assert(!theirs.includes('image_url') && theirs.includes(PIXEL))
await served.close()
