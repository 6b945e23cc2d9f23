import { openStore } from '@toolblocks/conversation-store'
import { expect, test } from 'vitest'
import { withParent } from './delegate/parent-of.ts'
import { findResumed } from './find-resumed.ts'

test('a conversation is found by its id, by the beginning of it, or as the latest', async () => {
  const store = await openStore('memory:')
  for (const id of ['abc', 'abd', 'xyz'])
    await store.append(id, 0, [{ type: 'turn_start', turn: 1 }])
  expect(await findResumed(store, true)).toEqual({ ok: true, id: 'xyz' })
  expect(await findResumed(store, 'abc')).toEqual({ ok: true, id: 'abc' })
  expect(await findResumed(store, 'x')).toEqual({ ok: true, id: 'xyz' })
  expect(await findResumed(store, 'ab')).toMatchObject({
    message: '2 conversations begin with "ab": abd, abc; give more of the id',
  })
  expect(await findResumed(store, 'q')).toMatchObject({ ok: false })
  expect(await findResumed(store, undefined)).toMatchObject({ ok: true })
  await store.close()
})

test('where nothing is kept, there is nothing to go on with', async () => {
  const store = await openStore('memory:')
  expect(await findResumed(store, true)).toMatchObject({ ok: false })
  await store.close()
})

test('the latest conversation is one of a person, also where the one of an agent was written last', async () => {
  const store = await openStore('memory:')
  await store.append('mine', 0, [{ type: 'turn_start', turn: 1 }])
  const parent = { conversationId: 'mine', callId: 'c' }
  await store.append('agent', 0, [{ type: 'configuration', values: withParent({}, parent) }])
  expect(await findResumed(store, true)).toEqual({ ok: true, id: 'mine' })
  expect(await findResumed(store, 'agent')).toEqual({ ok: true, id: 'agent' })
  await store.close()
})
