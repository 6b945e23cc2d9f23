import {
  isPendingQuestion,
  openPendingQuestion,
  settlePendingQuestion,
} from '@toolblocks/inquiry/pending'
import { expect, test } from 'vitest'
import { createMemoryStorage } from './memory-storage.ts'

/** Opens a question of a conversation. Returns its id. */
async function ask(
  { storage }: ReturnType<typeof createMemoryStorage>,
  conversation: string,
): Promise<string> {
  const { id } = await openPendingQuestion(
    {
      kind: 'question',
      conversation,
      call: { id: 'call-1', name: 'paint', arguments: {} },
      turn: 1,
      request: { id: 'color', text: 'Which color?', schema: { type: 'string' } },
      blocks: [],
      isLocal: false,
      isRepeatable: true,
      definition: 'd',
      host: 'h',
    },
    { storage },
  )
  return id
}

test('an open question is not released', async () => {
  const memory = createMemoryStorage()
  const id = await ask(memory, 'ann')
  memory.release(id)
  memory.release('unknown')
  expect((await memory.storage.read('question', id))?.value).toMatchObject({
    state: 'open',
    request: { text: 'Which color?' },
  })
})

test('of a released question it is kept how it ended, and that its call cannot be made again', async () => {
  const memory = createMemoryStorage()
  const id = await ask(memory, 'ann')
  await settlePendingQuestion(id, { state: 'answered', by: 'page', value: 'marked' }, memory)
  memory.release(id)
  const value = (await memory.storage.read('question', id))?.value
  expect(value).toMatchObject({
    conversation: 'ann',
    state: 'answered',
    isRepeatable: false,
    call: { id: 'call-1', name: 'paint', arguments: {} },
    settled: { at: expect.any(String) as string, by: 'page' },
  })
  expect(JSON.stringify(value)).not.toMatch(/marked|Which color/)
})

test('of released questions the newest 10,000 are kept, and all open ones', async () => {
  const memory = createMemoryStorage()
  const open = await ask(memory, 'bob')
  const ended: string[] = []
  for (let count = 0; count < 10_010; count++) {
    const id = await ask(memory, 'ann')
    await settlePendingQuestion(id, { state: 'declined', by: 'page' }, memory)
    memory.release(id)
    ended.push(id)
  }
  const { documents } = await memory.storage.list('question', {})
  expect(documents.map(({ id }) => id)).toEqual([open, ...ended.slice(10)])
  expect(documents.every(({ value }) => isPendingQuestion(value))).toBe(true)
})
