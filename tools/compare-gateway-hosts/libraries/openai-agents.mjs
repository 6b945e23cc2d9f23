// The OpenAI Agents SDK with a server: node openai-agents.mjs URL COMMAND ARGS…
import { Agent, MCPServerStdio, OpenAIProvider, Runner } from '@openai/agents'

const [, , url, command, ...args] = process.argv
const server = new MCPServerStdio({ name: 'tested', command, args })
await server.connect()
const agent = new Agent({ name: 'Agent', model: 'gpt-5', mcpServers: [server] })
const modelProvider = new OpenAIProvider({ baseURL: url, apiKey: 'none', useResponses: true })
const runner = new Runner({ modelProvider, tracingDisabled: true })
const result = await runner.run(agent, 'Use the tools.', { stream: true, maxTurns: 20 })
await result.completed
console.log(result.finalOutput)
await server.close()
