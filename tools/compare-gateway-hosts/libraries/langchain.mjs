// LangChain with a server: node langchain.mjs URL COMMAND ARGS…
import { ChatAnthropic } from '@langchain/anthropic'
import { MultiServerMCPClient } from '@langchain/mcp-adapters'
import { createAgent } from 'langchain'

const [, , url, command, ...args] = process.argv
const client = new MultiServerMCPClient({
  mcpServers: { tested: { transport: 'stdio', command, args } },
})
const model = new ChatAnthropic({
  model: 'claude-sonnet-4-5',
  apiKey: 'none',
  anthropicApiUrl: url,
  streaming: true,
})
const agent = createAgent({ model, tools: await client.getTools() })
const { messages } = await agent.invoke(
  { messages: [{ role: 'user', content: 'Use the tools.' }] },
  { recursionLimit: 50 },
)
console.log(messages.at(-1)?.text)
await client.close()
