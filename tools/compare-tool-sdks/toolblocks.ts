import { defineTool, failure, image } from '@toolblocks/tool-sdk'
import { serveTools } from '@toolblocks/tool-sdk/mcp'
import { Type } from '@toolblocks/tool-sdk/typebox'

const stock = new Map([['lamp', 3]])

const countStock = defineTool({
  name: 'count_stock',
  description: 'Count an article.',
  inputSchema: Type.Object({ article: Type.String(), reserve: Type.Integer({ default: 0 }) }),
  outputSchema: Type.Object({ article: Type.String(), free: Type.Integer() }),
  annotations: { readOnlyHint: true },
  run({ article, reserve }) {
    const count = stock.get(article)
    if (count === undefined) return failure(`There is no ${article}. Ask for another article.`)
    if (article === 'lamp' && reserve > 90) throw new Error('The list is damaged.')
    return { article, free: count - reserve }
  },
})

const removeArticle = defineTool({
  name: 'remove_article',
  description: 'Remove an article.',
  inputSchema: Type.Object({ article: Type.String() }),
  run({ article }, { ask }) {
    if (!ask.boolean('sure', `Remove ${article}?`)) return `${article} was kept.`
    stock.delete(article)
    return `${article} is removed.`
  },
})

const showDot = defineTool({
  name: 'show_dot',
  description: 'Show a picture.',
  run: async () => [await image(Buffer.from(process.env['DOT'] ?? '', 'base64')), 'A dot.'],
})

await serveTools([countStock, removeArticle, showDot])
