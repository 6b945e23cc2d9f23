// VoltAgent with a server: node voltagent.mjs URL COMMAND ARGS…
import { createAnthropic } from '@ai-sdk/anthropic'
import { Agent, MCPConfiguration } from '@voltagent/core'

const [, , url, command, ...args] = process.argv
const configuration = new MCPConfiguration({
  servers: { tested: { type: 'stdio', command, args } },
})
const anthropic = createAnthropic({ baseURL: `${url}/v1`, apiKey: 'none' })
const agent = new Agent({
  name: 'Agent',
  instructions: 'You use tools.',
  model: anthropic('claude-sonnet-4-5'),
  tools: await configuration.getTools(),
  maxSteps: 20,
})
const stream = await agent.streamText('Use the tools.')
console.log(await stream.text)
await configuration.disconnect()
process.exit()
