// The AI SDK with a server: node ai-sdk.mjs URL COMMAND ARGS…
import { createMCPClient } from '@ai-sdk/mcp'
import { Experimental_StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio'
import { createAnthropic } from '@ai-sdk/anthropic'
import { stepCountIs, streamText } from 'ai'

const [, , url, command, ...args] = process.argv
const client = await createMCPClient({
  transport: new Experimental_StdioMCPTransport({ command, args }),
})
const anthropic = createAnthropic({ baseURL: `${url}/v1`, apiKey: 'none' })
const { text } = streamText({
  model: anthropic('claude-sonnet-4-5'),
  tools: await client.tools(),
  stopWhen: stepCountIs(20),
  prompt: 'Use the tools.',
})
console.log(await text)
await client.close()
