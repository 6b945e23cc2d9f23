import { expect, test } from 'vitest'
import { askModel, type Model, ModelError } from './model.ts'

test('a request is sent again only after its notice was taken', async () => {
  const order: string[] = []
  let requests = 0
  const model: Model = async function* () {
    requests += 1
    order.push(`request ${requests}`)
    if (requests === 1)
      throw new ModelError('unavailable', 'The provider is busy.', { retryAfterMs: 0 })
    yield { type: 'message', message: { role: 'assistant', content: [], calls: [] } }
  }
  await askModel(
    model,
    { messages: [], tools: [] },
    {
      signal: new AbortController().signal,
      show: async ({ type }) => {
        if (type !== 'retry') return
        await new Promise((resolve) => setTimeout(resolve, 20))
        order.push('notice')
      },
    },
  )
  expect(order).toEqual(['request 1', 'notice', 'request 2'])
})
