import { acceptedContent, inputRequired, McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import * as z from 'zod'

const stock = new Map([['lamp', 3]])

serveStdio(() => {
  const server = new McpServer({ name: 'stock', version: '1.0.0' })
  server.registerTool(
    'count_stock',
    {
      description: 'Count an article.',
      inputSchema: z.object({ article: z.string(), reserve: z.int().default(0) }),
      outputSchema: z.object({ article: z.string(), free: z.int() }),
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
    { description: 'Remove an article.', inputSchema: z.object({ article: z.string() }) },
    ({ article }, { mcpReq }) => {
      const requestedSchema = z.object({ sure: z.boolean() })
      if (mcpReq.inputResponses?.['sure'] === undefined) {
        const sure = inputRequired.elicit({ message: `Remove ${article}?`, requestedSchema })
        return inputRequired({ inputRequests: { sure } })
      }
      if (acceptedContent(mcpReq.inputResponses, 'sure', requestedSchema)?.sure !== true)
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
  return server
})
