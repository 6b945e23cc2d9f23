import type { ConversationEvent } from '@toolblocks/conversation-store'
import { createFailure, type ToolCall, type ToolResult } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { openRefusalRecord, recordRefusals, type Refusals } from './record-refusals.ts'

const call = (name: string, values = {}): ToolCall => ({
  id: `id of ${name}`,
  name,
  arguments: values,
})

const EVE = { id: '["client","eve"]', name: 'eve', groups: [], scopes: [] }

/** The record of a client that may see `seen`; `mayAdd` says whether its limits allow a call. */
function open(mayAdd: (call: ToolCall) => boolean = () => true): {
  refusals: Refusals
  records: ConversationEvent[][]
  log: string[]
} {
  const records: ConversationEvent[][] = []
  const log: string[] = []
  const beginRecord = () => {
    const events: ConversationEvent[] = []
    records.push(events)
    return {
      record: async (...added: readonly ConversationEvent[]) => void events.push(...added),
      close: async () => void log.push('closed'),
    }
  }
  const refused = openRefusalRecord(
    { beginRecord },
    { maySee: (name) => name === 'seen' },
    { root: '/w', client: { identified: EVE, info: { name: 'editor' }, address: '10.0.0.1' } },
  )
  const limitCall = async (
    limited: ToolCall,
    run: () => Promise<ToolResult>,
  ): Promise<ToolResult> => (mayAdd(limited) ? await run() : createFailure('Too many calls'))
  return { refusals: recordRefusals(refused, { root: '/w', limitCall }), records, log }
}

test('the record of what a client is refused belongs to nobody, names the client and the tool, and has no arguments', async () => {
  const { refusals, records, log } = open()
  await refusals.add(call('hidden', { secret: 'abc' }))
  await refusals.add(call('seen'))
  expect(records).toHaveLength(1)
  const [begin, , ...events] = records[0] ?? []
  expect(begin).toEqual({
    type: 'configuration',
    values: {
      command: 'serve',
      folder: '/w',
      client: { name: 'editor' },
      identity: { name: 'eve' },
      refused: EVE.id,
      address: '10.0.0.1',
    },
  })
  expect(events).toMatchObject([
    { type: 'tool_call', call: { id: 'id of hidden', name: 'hidden', arguments: {} } },
    {
      type: 'tool_result',
      result: {
        id: 'id of hidden',
        isError: true,
        content: [{ text: expect.stringContaining('rights of the client "eve" do not include') }],
        metadata: { outcome: 'denied' },
      },
    },
    { type: 'turn_start', turn: 2 },
    { type: 'tool_call' },
    {
      type: 'tool_result',
      result: { content: [{ text: expect.stringContaining('is not offered a tool "seen"') }] },
    },
  ])
  expect(JSON.stringify(records)).not.toContain('abc')
  await refusals.close()
  expect(log).toEqual(['closed'])
})

test('a client that is refused nothing has no record of it', async () => {
  const { refusals, records, log } = open()
  await refusals.close()
  expect([records, log]).toEqual([[], []])
})

test('calls above the limits of the client are counted, and the number is recorded before the next one and at the end', async () => {
  let mayAdd = true
  const limited: unknown[] = []
  const { refusals, records } = open((each) => {
    limited.push(each.arguments)
    return mayAdd
  })
  await refusals.add(call('first', { size: 1 }))
  mayAdd = false
  await refusals.add(call('second'))
  await refusals.add(call('third'))
  mayAdd = true
  await refusals.add(call('fourth'))
  mayAdd = false
  await refusals.add(call('fifth'))
  await refusals.close()
  const listed = (records[0] ?? []).flatMap((event): unknown[] =>
    event.type === 'tool_call'
      ? [event.call.name]
      : event.type === 'configuration' && event.values['command'] === undefined
        ? [event.values]
        : [],
  )
  const over = (count: number) => ({ refused_calls_over_limit: count })
  expect(listed).toEqual(['first', over(2), 'fourth', over(1)])
  // Their arguments count, as those of other calls.
  expect(limited[0]).toEqual({ size: 1 })
})

test('a long name is shortened, also in the text of the result', async () => {
  const { refusals, records } = open()
  await refusals.add({ ...call('x'.repeat(100_000)), id: 'c' })
  expect(JSON.stringify(records).length).toBeLessThan(2000)
  expect(JSON.stringify(records)).toContain(`${'x'.repeat(64)}…`)
})

test('limits that cannot be read do not fail the call that is refused', async () => {
  const { refusals, records } = open(() => {
    throw new Error('no store')
  })
  await refusals.add(call('hidden'))
  expect(records).toEqual([])
})
