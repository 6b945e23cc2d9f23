import type { AnswerQuestion } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { createPersonTime } from './person-time.ts'

test('what a person took is known by call, also where they were asked twice', async () => {
  let clock = 0
  const time = createPersonTime(() => clock)
  const answer: AnswerQuestion = time.answering(async () => {
    clock += 70
    return { action: 'decline' }
  })
  const ask = async (id: string): Promise<unknown> =>
    await answer(
      { id: 'q', text: 'Sure?', schema: true },
      {
        blocks: [],
        source: { kind: 'question', call: { id, name: 't', arguments: {} } },
        signal: new AbortController().signal,
      },
    )
  await ask('a')
  await ask('a')
  await ask('b')
  expect([time.of('a'), time.of('b'), time.of('c')]).toEqual([140, 70, 0])
})
