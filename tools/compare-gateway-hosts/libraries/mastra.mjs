// Mastra with a server: node mastra.mjs URL COMMAND ARGS…
import { createAnthropic } from '@ai-sdk/anthropic'
import { Agent } from '@mastra/core/agent'
import { MCPClient } from '@mastra/mcp'

const [, , url, command, ...args] = process.argv
const client = new MCPClient({ servers: { tested: { command, args } } })
const anthropic = createAnthropic({ baseURL: `${url}/v1`, apiKey: 'none' })
const agent = new Agent({
  id: 'agent',
  name: 'Agent',
  instructions: 'You use tools.',
  model: anthropic('claude-sonnet-4-5'),
  tools: await client.listTools(),
})
const stream = await agent.stream('Use the tools.', { maxSteps: 20 })
console.log(await stream.text)
await client.disconnect()
