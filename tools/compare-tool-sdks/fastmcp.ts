import { FastMCP, imageContent, UserError } from 'fastmcp'
import * as z from 'zod'

const server = new FastMCP({ name: 'stock', version: '1.0.0' })
const stock = new Map([['lamp', 3]])

server.addTool({
  name: 'count_stock',
  description: 'Count an article.',
  parameters: z.object({ article: z.string(), reserve: z.int().default(0) }),
  outputSchema: z.object({ article: z.string(), free: z.int() }),
  annotations: { readOnlyHint: true },
  execute: async ({ article, reserve }) => {
    const count = stock.get(article)
    if (count === undefined) throw new UserError(`There is no ${article}. Ask for another article.`)
    if (article === 'lamp' && reserve > 90) throw new Error('The list is damaged.')
    return { article, free: count - reserve }
  },
})

server.addTool({
  name: 'remove_article',
  description: 'Remove an article.',
  parameters: z.object({ article: z.string() }),
  execute: async ({ article }, { elicit }) => {
    const answer = await elicit({
      message: `Remove ${article}?`,
      requestedSchema: {
        type: 'object',
        properties: { sure: { type: 'boolean' } },
        required: ['sure'],
      },
    })
    if (answer.action !== 'accept' || answer.content?.['sure'] !== true)
      return `${article} was kept.`
    stock.delete(article)
    return `${article} is removed.`
  },
})

server.addTool({
  name: 'show_dot',
  description: 'Show a picture.',
  execute: async () => ({
    content: [
      await imageContent({ buffer: Buffer.from(process.env['DOT'] ?? '', 'base64') }),
      { type: 'text', text: 'A dot.' },
    ],
  }),
})

await server.start({ transportType: 'stdio' })
