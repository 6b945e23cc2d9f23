import { setTimeout as sleep } from 'node:timers/promises'
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
  const { promise: isTaken, resolve: take } = Promise.withResolvers<void>()
  const asked = askModel(
    model,
    { messages: [], tools: [] },
    {
      signal: new AbortController().signal,
      show: async ({ type }) => {
        if (type !== 'retry') return
        await isTaken
        order.push('notice')
      },
    },
  )
  // Timers run in order: if the request did not wait for the notice, the timer of its 0 ms would end before these.
  for (let turn = 0; turn < 5; turn += 1) await sleep(1)
  take()
  await asked
  expect(order).toEqual(['request 1', 'notice', 'request 2'])
})
