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

test('a wait for a change ends with a write, with its signal, and at once if there was a change before', async () => {
  const { storage } = createMemoryStorage()
  const write = async (version: number): Promise<void> => {
    const key = { collection: 'question', id: 'q', conversation: 'ann' }
    expect(await storage.write({ ...key, version, state: 'open', value: {} })).toEqual({
      ok: true,
    })
  }
  await write(0)
  const { signal } = new AbortController()
  const order: string[] = []
  const changed = storage.changed('question', 'q', 1, signal).then(() => order.push('changed'))
  const end = new AbortController()
  const ended = storage.changed('question', 'q', 1, end.signal).then(() => order.push('ended'))
  await new Promise(setImmediate)
  expect(order).toEqual([])
  end.abort()
  await ended
  await write(1)
  await changed
  expect(order).toEqual(['ended', 'changed'])
  await storage.changed('question', 'q', 1, signal)
  await storage.changed('question', 'q', 2, AbortSignal.abort())
})
