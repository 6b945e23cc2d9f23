// The client that MCP's conformance suite starts: node client.ts URL. The scenario is in the environment.
import { connectServer, type McpServer } from '@toolblocks/mcp-bridge'
import { type JsonValue, type ToolResult, isJsonObject } from '@toolblocks/protocol'

const url = process.argv.at(-1) ?? ''
const scenario = process.env['MCP_CONFORMANCE_SCENARIO'] ?? ''
const version = process.env['MCP_CONFORMANCE_PROTOCOL_VERSION'] ?? ''
const isStateless = version >= '2026-07-28'

const server = await connectServer(
  {
    name: 'conformance',
    transport: { kind: 'http', url },
    protocolVersion: isStateless ? '2026-07-28' : '2025-11-25',
  },
  { canAsk: true },
)

async function call(name: string, values: Record<string, unknown> = {}): Promise<ToolResult> {
  const tool = server.tools().find((candidate) => server.nameOnServer(candidate.name) === name)
  if (!tool) throw new Error(`no tool ${name}`)
  const result = await tool.execute(
    { id: 'call-1', name: tool.name, arguments: values },
    {
      signal: AbortSignal.timeout(20_000),
      root: process.cwd(),
      answers: {},
      ask: async ({ schema }) => ({ action: 'accept', value: answerTo(schema) }),
    },
  )
  process.stdout.write(`${name}: ${JSON.stringify(result)}\n`)
  return result
}

/** Returns the minimum answer to a form: the required fields without a default. */
function answerTo(schema: unknown): Record<string, JsonValue> {
  const answer: Record<string, JsonValue> = {}
  if (!isJsonObject(schema) || !isJsonObject(schema['properties'])) return {}
  const required: unknown = schema['required']
  for (const [name, property] of Object.entries(schema['properties'])) {
    if (
      !Array.isArray(required) ||
      !required.includes(name) ||
      !isJsonObject(property) ||
      'default' in property
    )
      continue
    answer[name] = property['type'] === 'boolean' ? true : property['type'] === 'string' ? 'x' : 1
  }
  return answer
}

/** Calls every tool as its schema requires; the scenario checks the messages. */
async function callEvery({ tools, nameOnServer }: McpServer): Promise<void> {
  for (const { name, inputSchema } of tools())
    await call(nameOnServer(name) ?? name, answerTo(inputSchema))
}

switch (scenario) {
  case 'initialize':
  case 'json-schema-ref-no-deref':
    break
  case 'tools_call':
    await call('add_numbers', { a: 5, b: 3 })
    break
  case 'json-schema-2020-12-preservation': {
    const [observed] = server
      .tools()
      .filter(({ name }) => server.nameOnServer(name) !== 'json_schema_echo')
    await call('json_schema_echo', { schema: observed?.inputSchema })
    break
  }
  case 'sep-2640-client-no-prefetch':
    await server.request('skills/list', {}, { signal: AbortSignal.timeout(20_000) })
    break
  case 'http-custom-headers': {
    const context: unknown = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}')
    const calls = isJsonObject(context) ? (context['toolCalls'] ?? context['calls']) : undefined
    for (const toolCall of Array.isArray(calls) ? calls : [])
      await call(toolCall.name, toolCall.arguments)
    break
  }
  default:
    await callEvery(server)
}
await server.close()
