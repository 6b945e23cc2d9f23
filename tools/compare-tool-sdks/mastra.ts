import { createTool } from '@mastra/core/tools'
import * as z from 'zod'

const stock = new Map([['lamp', 3]])

const countStock = createTool({
  id: 'count_stock',
  description: 'Count an article.',
  inputSchema: z.object({ article: z.string(), reserve: z.int().default(0) }),
  outputSchema: z.object({ article: z.string(), free: z.int() }),
  execute: async ({ article, reserve }) => {
    const count = stock.get(article)
    if (count === undefined) throw new Error(`There is no ${article}. Ask for another article.`)
    if (article === 'lamp' && reserve > 90) throw new Error('The list is damaged.')
    return { article, free: count - reserve }
  },
})

const removeArticle = createTool({
  id: 'remove_article',
  description: 'Remove an article.',
  inputSchema: z.object({ article: z.string() }),
  suspendSchema: z.object({ question: z.string() }),
  resumeSchema: z.object({ sure: z.boolean() }),
  execute: async ({ article }, context) => {
    const { resumeData, suspend } = context.agent ?? {}
    if (!resumeData) {
      await suspend?.({ question: `Remove ${article}?` })
      return
    }
    if (!resumeData.sure) return `${article} was kept.`
    stock.delete(article)
    return `${article} is removed.`
  },
})

const showDot = createTool({
  id: 'show_dot',
  description: 'Show a picture.',
  execute: async () => process.env['DOT'] ?? '',
  toModelOutput: (data) => ({
    type: 'content',
    value: [
      { type: 'media', data, mediaType: 'image/png' },
      { type: 'text', text: 'A dot.' },
    ],
  }),
})

export const tools = {
  count_stock: countStock,
  remove_article: removeArticle,
  show_dot: showDot,
}
