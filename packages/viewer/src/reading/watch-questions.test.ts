import { openStore } from '@toolblocks/conversation-store'
import { settlePendingQuestion } from '@toolblocks/inquiry/pending'
import { expect, onTestFinished, test } from 'vitest'
import { park } from '../pending.support.ts'
import { createQuestionWatch, type OpenQuestions } from './watch-questions.ts'

test('each change of the open questions is followed, and all readers together ask the store once in an interval', async () => {
  const store = await openStore('memory:')
  onTestFinished(() => store.close())
  let lists = 0
  const watch = createQuestionWatch({
    storage: {
      ...store.documents,
      list: async (...request) => {
        lists += 1
        return await store.documents.list(...request)
      },
    },
  })
  const leaving = new AbortController()
  const readers = Array.from({ length: 20 }, () => watch.follow(leaving.signal))
  const next = async (): Promise<readonly OpenQuestions[]> =>
    await Promise.all(readers.map(async (reader) => (await reader.next()).value as OpenQuestions))
  const counts = async (): Promise<readonly number[]> =>
    [...new Set(await next())].map(({ count }) => count)
  expect(await counts()).toEqual([0])
  expect(lists).toBe(1)
  const { id } = await park(store)
  expect(await counts()).toEqual([1])
  expect(lists).toBeLessThan(4)
  await settlePendingQuestion(id, { state: 'withdrawn', by: 'x' }, { storage: store.documents })
  expect(await counts()).toEqual([0])
  leaving.abort()
  expect(await Promise.all(readers.map(async (reader) => await reader.next()))).toEqual(
    readers.map(() => ({ done: true, value: undefined })),
  )
})

test('a question that expires is a change', async () => {
  const store = await openStore('memory:')
  onTestFinished(() => store.close())
  await park(store, { expireMs: 60_000 })
  let late = 0
  const reader = createQuestionWatch({
    storage: store.documents,
    now: () => new Date(Date.now() + late),
  }).follow(AbortSignal.timeout(20_000))
  expect((await reader.next()).value).toMatchObject({ count: 1 })
  late = 60_000
  expect((await reader.next()).value).toMatchObject({ count: 0 })
  await reader.return(undefined)
})

test('a question that ended with its host is withdrawn, and is a change', async () => {
  const store = await openStore('memory:')
  onTestFinished(() => store.close())
  const { id } = await park(store, { isRepeatable: false })
  await park(store, { tool: 'other' })
  const asked: string[] = []
  const reader = createQuestionWatch({
    storage: store.documents,
    isAsked: async (question) => {
      asked.push(question.id)
      return false
    },
  }).follow(AbortSignal.timeout(20_000))
  expect((await reader.next()).value).toMatchObject({ count: 2 })
  expect((await reader.next()).value).toMatchObject({ count: 1 })
  expect(asked).toEqual([id])
  await reader.return(undefined)
})
