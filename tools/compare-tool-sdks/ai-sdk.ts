import { tool } from 'ai'
import * as z from 'zod'

const stock = new Map([['lamp', 3]])

const countStock = tool({
  description: 'Count an article.',
  inputSchema: z.object({ article: z.string(), reserve: z.int().default(0) }),
  outputSchema: z.object({ article: z.string(), free: z.int() }),
  execute: ({ article, reserve }) => {
    const count = stock.get(article)
    if (count === undefined) throw new Error(`There is no ${article}. Ask for another article.`)
    if (article === 'lamp' && reserve > 90) throw new Error('The list is damaged.')
    return { article, free: count - reserve }
  },
})

const removeArticle = tool({
  description: 'Remove an article.',
  inputSchema: z.object({ article: z.string() }),
  needsApproval: true,
  execute: ({ article }) => {
    stock.delete(article)
    return `${article} is removed.`
  },
})

const showDot = tool({
  description: 'Show a picture.',
  inputSchema: z.object({}),
  execute: () => process.env['DOT'] ?? '',
  toModelOutput: ({ output: data }) => ({
    type: 'content',
    value: [
      { type: 'file', data: { type: 'data', data }, mediaType: 'image/png' },
      { type: 'text', text: 'A dot.' },
    ],
  }),
})

export const tools = {
  count_stock: countStock,
  remove_article: removeArticle,
  show_dot: showDot,
}
