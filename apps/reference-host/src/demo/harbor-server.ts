import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'

/** An MCP server of the demo, made with MCP's own SDK like any other server. Its one tool asks a question and returns a link. */
const server = new Server(
  { name: 'harbor', version: '1.0.0' },
  { capabilities: { tools: {}, resources: {} } },
)

const LOG = 'harbor://log/tonight'
const entries = ['20:00 The ferry is in.', '21:00 Fog over the bay.']

server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: [
    {
      name: 'report_lamp',
      description: 'Reports to the harbor that the lamp is lit, and asks who reports it.',
      inputSchema: { type: 'object', properties: {} },
    },
  ],
}))

server.setRequestHandler(CallToolRequestSchema, async () => {
  const answer = await server.elicitInput({
    message: 'The harbor wants to know who is on watch.',
    requestedSchema: {
      type: 'object',
      properties: {
        keeper: { type: 'string', title: 'Keeper', default: 'Ada' },
        wind: { type: 'string', title: 'Wind', enum: ['calm', 'breeze', 'storm'] },
      },
      required: ['keeper', 'wind'],
    },
  })
  const { action, content } = answer
  if (action !== 'accept')
    return { content: [{ type: 'text', text: 'The harbor has noted nothing.' }] }
  entries.push(`22:00 Lamp lit, wind: ${String(content?.['wind'])}. ${String(content?.['keeper'])}`)
  return {
    content: [
      { type: 'text', text: 'The harbor has noted it.' },
      { type: 'resource_link', uri: LOG, name: 'log', title: 'The log of tonight' },
    ],
  }
})

server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => ({
  contents: [{ uri, mimeType: 'text/plain', text: `${entries.join('\n')}\n` }],
}))

await server.connect(new StdioServerTransport())
