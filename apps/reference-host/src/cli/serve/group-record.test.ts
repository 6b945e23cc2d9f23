import type { ConversationEvent } from '@toolblocks/conversation-store'
import { expect, onTestFinished, test, vi } from 'vitest'
import { flushBeforeRead, groupRecord } from './group-record.ts'

const event = (turn: number): ConversationEvent => ({ type: 'turn_start', turn })

function open() {
  const written: (readonly ConversationEvent[])[] = []
  let isClosed = false
  const record = groupRecord({
    record: async (...events) => void written.push(events),
    close: async () => {
      isClosed = true
    },
  })
  return { record, written, isClosed: () => isClosed }
}

test('events are written together after a short time, in their order', async () => {
  const { record, written } = open()
  await record.record(event(1))
  await record.record(event(2), event(3))
  expect(written).toEqual([])
  await expect.poll(() => written).toEqual([[event(1), event(2), event(3)]])
})

test('closing writes the rest first', async () => {
  const { record, written, isClosed } = open()
  await record.record(event(1))
  await record.close()
  expect(written).toEqual([[event(1)]])
  expect(isClosed()).toBe(true)
})

test('a tool that reads the record sees all events before its call', async () => {
  const { record, written } = open()
  const callTool = flushBeforeRead(
    async ({ name }) => ({
      content: [{ type: 'text', text: `${name} ${written.length}` }],
      isError: false,
    }),
    record,
  )
  const context = { signal: new AbortController().signal, root: '/' }
  await record.record(event(1))
  const call = { id: 'c', name: 'other', arguments: {} }
  expect(await callTool(call, context)).toMatchObject({ content: [{ text: 'other 0' }] })
  const read = { ...call, name: 'read_tool_result' }
  expect(await callTool(read, context)).toMatchObject({ content: [{ text: 'read_tool_result 1' }] })
})

test('a record that takes long is written before it is closed, and both before its user continues; no timer is left', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const log: string[] = []
  const slowly = async (what: string): Promise<void> => {
    for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate)
    log.push(what)
  }
  const record = groupRecord({
    record: async (...events) => await slowly(`${events.length} written`),
    close: async () => await slowly('closed'),
  })
  await record.record(event(1))
  await record.flush()
  log.push('flushed')
  await record.record(event(2), event(3))
  await record.close()
  log.push('returned')
  expect(log).toEqual(['1 written', 'flushed', '2 written', 'closed', 'returned'])
  expect(vi.getTimerCount()).toBe(0)
})
