import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import * as z from 'zod'

const server = new McpServer({ name: 'stock', version: '1.0.0' })
const stock = new Map([['lamp', 3]])

server.registerTool(
  'count_stock',
  {
    description: 'Count an article.',
    inputSchema: { article: z.string(), reserve: z.int().default(0) },
    outputSchema: { article: z.string(), free: z.int() },
    annotations: { readOnlyHint: true },
  },
  ({ article, reserve }) => {
    const count = stock.get(article)
    if (count === undefined) {
      const text = `There is no ${article}. Ask for another article.`
      return { content: [{ type: 'text', text }], isError: true }
    }
    if (article === 'lamp' && reserve > 90) throw new Error('The list is damaged.')
    const structuredContent = { article, free: count - reserve }
    return {
      content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
      structuredContent,
    }
  },
)

server.registerTool(
  'remove_article',
  { description: 'Remove an article.', inputSchema: { article: z.string() } },
  async ({ article }) => {
    const answer = await server.server.elicitInput({
      message: `Remove ${article}?`,
      requestedSchema: {
        type: 'object',
        properties: { sure: { type: 'boolean' } },
        required: ['sure'],
      },
    })
    if (answer.action !== 'accept' || answer.content?.['sure'] !== true)
      return { content: [{ type: 'text', text: `${article} was kept.` }] }
    stock.delete(article)
    return { content: [{ type: 'text', text: `${article} is removed.` }] }
  },
)

server.registerTool('show_dot', { description: 'Show a picture.' }, () => ({
  content: [
    { type: 'image', data: process.env['DOT'] ?? '', mimeType: 'image/png' },
    { type: 'text', text: 'A dot.' },
  ],
}))

await server.connect(new StdioServerTransport())
