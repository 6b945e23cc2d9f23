import { createSuccessResult, type Tool, type ToolResult } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { ConversationHeld } from './hold-conversation.ts'
import {
  signal,
  go,
  text,
  sure,
  createAsker,
  call,
  startHost,
  listOpen,
  answer,
  unattended,
  deleting,
  openMemory,
} from './waiting.suite.ts'

test('the question of an agent parks the call that delegated, and the agent continues its own work', async () => {
  const store = await openMemory()
  const { tool, runs } = createAsker('delete', [sure])
  const tools = [unattended(tool)]
  const agents = { cleaner: { summary: 'Deletes files.' } }
  const delegate = { id: 'd', name: 'delegate', arguments: { agent: 'cleaner', task: 'Clean.' } }
  const says = [
    { text: '', calls: [delegate] },
    { text: '', calls: [call('delete')] },
  ]
  expect(await (await startHost(store, { says, tools, agents })).runTurn(go, { signal })).toBe(
    'parked',
  )
  expect(await listOpen(store)).toMatchObject([{ agents: ['cleaner'], call: { name: 'delete' } }])
  await answer(store, true)
  const last = await startHost(store, {
    says: [
      { text: 'It is clean.', calls: [] },
      { text: 'Done.', calls: [] },
    ],
    tools,
    agents,
  })
  expect(await last.resumeTurn({ signal })).toBe('completed')
  expect(runs).toEqual([{}, { sure: true }])
  const { events } = await store.read('c', { limit: Infinity })
  const results = events.flatMap(({ event }) => (event.type === 'tool_result' ? event.result : []))
  expect(results).toMatchObject([{ id: 'd', content: [text('It is clean.')] }])
  expect((await store.list()).conversations).toHaveLength(2)
})

test('while a host runs a turn, no other host runs one of the same conversation', async () => {
  const store = await openMemory()
  const hold = Promise.withResolvers<ToolResult>()
  const started = Promise.withResolvers<void>()
  const tool: Tool = {
    name: 'delete',
    inputSchema: { type: 'object' },
    execute: async () => {
      started.resolve()
      return await hold.promise
    },
  }
  const tools = [unattended(tool)]
  const host = { durationMs: 300 }
  const one = await startHost(store, { says: deleting, tools, host: { ...host, holder: 'one' } })
  const turn = one.runTurn(go, { signal })
  await started.promise
  const two = await startHost(store, { tools, host: { ...host, holder: 'two' } })
  const refused = two.runTurn(go, { signal })
  await expect(refused).rejects.toThrow(ConversationHeld)
  await expect(refused).rejects.toMatchObject({ conversation: 'c', holder: 'one' })
  hold.resolve(createSuccessResult([text('deleted')]))
  expect(await turn).toBe('completed')
  // It has the events of the first host now.
  expect(await two.runTurn(go, { signal })).toBe('completed')
})
