// Strands Agents with a server: node strands.mjs URL COMMAND ARGS…
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { Agent, McpClient } from '@strands-agents/sdk'
import { AnthropicModel } from '@strands-agents/sdk/models/anthropic'

const [, , url, command, ...args] = process.argv
const client = new McpClient({ transport: new StdioClientTransport({ command, args }) })
const model = new AnthropicModel({
  modelId: 'claude-sonnet-4-5',
  apiKey: 'none',
  maxTokens: 4096,
  clientConfig: { baseURL: url },
})
const agent = new Agent({ model, tools: [client], printer: false })
const result = await agent.invoke('Use the tools.')
console.log(String(result))
await client.disconnect()
