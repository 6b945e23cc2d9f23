// A small MCP server of notes. Started by tests: node notes-server.support.ts
import { writeFileSync } from 'node:fs'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'

const server = new Server(
  { name: 'notes', version: '1.0.0' },
  { capabilities: { tools: {}, resources: {} } },
)
const path = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }
const none = { type: 'object', properties: {} }
server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: [
    { name: 'read', description: process.env['SAYS'] ?? 'Reads a note.', inputSchema: path },
    { name: 'sign', description: 'Signs the notes.', inputSchema: none },
    { name: 'list', description: 'Links to the notes.', inputSchema: none },
    { name: 'folder', description: 'Where it runs.', inputSchema: none },
  ],
}))
server.setRequestHandler(
  CallToolRequestSchema,
  async ({ params: { name, arguments: callArguments } }) => {
    switch (name) {
      case 'read': {
        const uri = `file:///notes/${String(callArguments?.['path'])}`
        const resource = { uri, text: 'All of it.', mimeType: 'text/plain' }
        return { content: [{ type: 'resource', resource, annotations: { priority: 0.5 } }] }
      }
      case 'list':
        return {
          content: ['a', 'b'].map((note) => ({
            type: 'resource_link',
            uri: `note:///${note}`,
            name: note,
          })),
        }
      case 'sign': {
        const answer = await server.elicitInput({
          message: 'Who signs?',
          requestedSchema: {
            type: 'object',
            properties: { name: { type: 'string' } },
            required: ['name'],
          },
        })
        return { content: [{ type: 'text', text: JSON.stringify(answer) }] }
      }
      default:
        return { content: [{ type: 'text', text: process.cwd() }] }
    }
  },
)
server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => ({
  contents: [{ uri, mimeType: 'text/plain', text: `${'Long. '.repeat(500)}All of ${uri}.` }],
}))
if (process.env['PID_FILE'] !== undefined)
  writeFileSync(process.env['PID_FILE'], String(process.pid))
await server.connect(new StdioServerTransport())
