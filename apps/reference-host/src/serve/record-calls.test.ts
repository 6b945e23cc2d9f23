import type { ConversationEvent } from '@toolblocks/conversation-store'
import { createSuccessResult } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { recordCalls } from './record-calls.ts'

test('calls that run at the same time are one turn, the next one begins another', async () => {
  const events: ConversationEvent[] = []
  const gates = [1, 2, 3].map(() => Promise.withResolvers<void>())
  const callTool = recordCalls(
    async ({ id }) => {
      await gates[Number(id)]?.promise
      return { id, ...createSuccessResult([]) }
    },
    { record: async (...more) => void events.push(...more), close: async () => {} },
    '/work',
  )
  const call = (id: string) =>
    callTool({ id, name: 't', arguments: {} }, { root: '/', signal: new AbortController().signal })
  const both = [call('0'), call('1')]
  for (const { resolve } of gates) resolve()
  await Promise.all(both)
  await call('2')
  expect(
    events.map((event) => (event.type === 'turn_start' ? `turn ${event.turn}` : event.type)),
  ).toEqual([
    'configuration',
    'turn 1',
    'tool_call',
    'tool_call',
    'tool_result',
    'tool_result',
    'turn 2',
    'tool_call',
    'tool_result',
  ])
})
