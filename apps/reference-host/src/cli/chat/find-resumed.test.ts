import { openStore } from '@toolblocks/conversation-store'
import { expect, test } from 'vitest'
import { beginConversation } from '../../workspace/conversations/conversation-origin.ts'

import { findResumed } from './find-resumed.ts'

test('a conversation is found by its id, by the beginning of it, or as the latest', async () => {
  const store = await openStore('memory:')
  for (const id of ['abc', 'abd', 'xyz'])
    await store.append(id, 0, [{ type: 'turn_start', turn: 1 }])
  expect(await findResumed(store, true)).toEqual({ ok: true, id: 'xyz' })
  expect(await findResumed(store, 'latest')).toEqual({ ok: true, id: 'xyz' })
  expect(await findResumed(store, 'abc')).toEqual({ ok: true, id: 'abc' })
  expect(await findResumed(store, 'x')).toEqual({ ok: true, id: 'xyz' })
  expect(await findResumed(store, 'ab')).toMatchObject({
    message: '2 conversations begin with "ab": abd, abc; type more characters of the id',
  })
  expect(await findResumed(store, 'q')).toMatchObject({ ok: false })
  expect(await findResumed(store, undefined)).toMatchObject({ ok: true })
  await store.close()
})

test('an empty store has no conversation to resume', async () => {
  const store = await openStore('memory:')
  expect(await findResumed(store, true)).toMatchObject({ ok: false })
  await store.close()
})

test('the latest conversation is one of a person, also if the one of an agent was written last', async () => {
  const store = await openStore('memory:')
  await store.append('mine', 0, [{ type: 'turn_start', turn: 1 }])
  const parent = { conversationId: 'mine', callId: 'c' }
  await store.append('agent', 0, [{ type: 'configuration', values: { parent } }])
  expect(await findResumed(store, true)).toEqual({ ok: true, id: 'mine' })
  expect(await findResumed(store, 'agent')).toEqual({ ok: true, id: 'agent' })
  await store.close()
})

const call = {
  type: 'tool_call',
  call: { id: 'c', name: 'look', arguments: {} },
} as const
const begin = { type: 'turn_start', turn: 1 } as const
const say = { type: 'user_message', content: [] } as const

test.for(['call', 'serve'] as const)(
  'the latest conversation is not one that %s has recorded, and resuming that one is refused with a reason',
  async (command) => {
    const store = await openStore('memory:')
    await store.append('mine', 0, [beginConversation({ command: 'run', folder: '/' }), begin])
    await store.append('calls', 0, [beginConversation({ command, folder: '/' }), begin, call])
    expect(await findResumed(store, true)).toEqual({ ok: true, id: 'mine' })
    expect(await findResumed(store, 'calls')).toMatchObject({
      ok: false,
      message: expect.stringContaining('has only calls from'),
    })
    await store.close()
  },
)

test('conversations of older versions are recognized by their events: a message of a person, or only calls', async () => {
  const store = await openStore('memory:')
  await store.append('mine', 0, [begin, say])
  await store.append('calls', 0, [begin, call])
  expect(await findResumed(store, true)).toEqual({ ok: true, id: 'mine' })
  expect(await findResumed(store, 'calls')).toMatchObject({ ok: false })
  await store.close()
})

test('a conversation of another program is resumed only by its id', async () => {
  const store = await openStore('memory:')
  const event = { ...say, imported: { about: { title: 'Older' } } }
  await store.append('older', 0, [event])
  expect(await findResumed(store, true)).toMatchObject({
    message: expect.stringContaining('resume a conversation of another program by its id'),
  })
  expect(await findResumed(store, 'older')).toEqual({ ok: true, id: 'older' })
  await store.close()
})
