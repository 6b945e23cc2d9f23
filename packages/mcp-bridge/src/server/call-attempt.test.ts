import { createSuccessResult } from '@toolblocks/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { beginAttempt, type CallAttempt } from './call-attempt.ts'
import type { SealedAnswer } from './sealed-state.ts'

/** A call that asks its client with this method, and nothing else. */
function beginAsking(method: string, answers: readonly SealedAnswer[] = []): CallAttempt {
  const { signal } = new AbortController()
  const attempt = beginAttempt(
    {
      name: 's',
      version: '1',
      root: '/',
      definitions: () => [],
      callTool: async (_call, context, client) => {
        const reply = await client.request(method, {}, context.signal)
        return createSuccessResult([{ type: 'text', text: JSON.stringify(reply) }])
      },
    },
    { id: 'c', name: 'tool', arguments: {} },
    {
      client: { identity: 'a', capabilities: { roots: {}, sampling: {} } },
      context: { root: '/', signal },
      notify: () => undefined,
      answers,
    },
  )
  onTestFinished(() => attempt.abort())
  return attempt
}

test('an answer that a client gave before the call was run again counts only for the same request', async () => {
  const first = await beginAsking('roots/list').next()
  const [asked] = first.kind === 'asked' ? first.asked : []
  const answers = [{ question: asked?.question ?? '', response: { roots: [{ uri: 'file:///w' }] } }]
  const same = beginAsking('roots/list', answers)
  expect(await same.next()).toMatchObject({
    result: { content: [{ text: expect.stringContaining('file:///w') as string }] },
  })
  expect(same.used()).toEqual(answers)
  const other = beginAsking('sampling/createMessage', answers)
  expect(await other.next()).toMatchObject({ asked: [{ method: 'sampling/createMessage' }] })
  expect(other.used()).toEqual([])
})
