import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ConversationEvent } from '@toolblocks/conversation-store'
import { expect, onTestFinished, test } from 'vitest'
import type { SearchBounds } from '../conversations/secrets/find-secrets.ts'
import { maskRecord } from './mask-record.ts'

const TOKEN = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_')
const result = (text: string): ConversationEvent => ({
  type: 'tool_result',
  result: { id: 'c', content: [{ type: 'text', text }], isError: false },
})

function open(bounds?: SearchBounds) {
  const written: ConversationEvent[] = []
  const warnings: string[] = []
  const record = maskRecord(
    {
      record: async (...events) => void written.push(...events),
      keepBytes: async () => ({ sha256: '', bytes: 0 }),
      close: async () => {},
    },
    (message) => warnings.push(message),
    bounds,
  )
  return { record, written, warnings }
}

/** A worker that never answers about a text with "slow", and fails at one with "broken". */
function makeWorker(): URL {
  const folder = mkdtempSync(join(tmpdir(), 'toolblocks-rules-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'worker.mjs')
  writeFileSync(
    file,
    `import { parentPort } from 'node:worker_threads'
parentPort.on('message', ({ text }) => {
  if (text.includes('slow')) for (;;);
  if (text.includes('broken')) throw new Error('the rules are broken')
  parentPort.postMessage([])
})`,
  )
  return pathToFileURL(file)
}

test('a secret is replaced in every event of a group, and other events stay the same', async () => {
  const { record, written, warnings } = open()
  const call: ConversationEvent = {
    type: 'tool_call',
    call: { id: 'c', name: 'push', arguments: { token: TOKEN } },
  }
  await record.record(call, result(`pushed with ${TOKEN}`), result('done'))
  expect(JSON.stringify(written)).not.toContain(TOKEN)
  expect(written).toEqual([
    { type: 'tool_call', call: { id: 'c', name: 'push', arguments: { token: '[scrubbed]' } } },
    result('pushed with [scrubbed]'),
    result('done'),
  ])
  expect(warnings).toEqual([])
})

test('the outputs of tools are not kept beside the events', () => {
  expect(open().record.keepBytes).toBeUndefined()
})

test('of an event that could not be searched in time, only that it was is recorded, and a warning says so', async () => {
  const { record, written, warnings } = open({ partMs: 500, totalMs: 5000, worker: makeWorker() })
  const slow = `slow ${'x'.repeat(300_000)}`
  await record.record(result('before '.repeat(30_000)), result(slow))
  expect(written).toEqual([
    result('before '.repeat(30_000)),
    result('(not recorded: the search for secrets took too long)'),
  ])
  expect(warnings).toEqual([
    'the content of 1 event is not recorded, because the search for secrets took too long',
  ])
})

test('a long result that cannot be searched does not hide the calls beside it', async () => {
  const { record, written, warnings } = open({ partMs: 500, totalMs: 1000, worker: makeWorker() })
  const call = (id: string, path: string): ConversationEvent => ({
    type: 'tool_call',
    call: { id, name: 'wipe', arguments: { path } },
  })
  const slow = `slow ${'x'.repeat(300_000)}`
  await record.record(call('c', 'a'), result(slow), result(slow), call('d', 'b'), result('done'))
  const omitted = result('(not recorded: the search for secrets took too long)')
  expect(written).toEqual([call('c', 'a'), omitted, omitted, call('d', 'b'), result('done')])
  expect(warnings).toEqual([expect.stringContaining('the content of 2 events is not recorded')])
})

test('a call that cannot be searched is recorded with its tool, and without its arguments', async () => {
  const { record, written } = open({ partMs: 500, totalMs: 1000, worker: makeWorker() })
  const text = `slow ${'x'.repeat(300_000)}`
  await record.record({ type: 'tool_call', call: { id: 'c', name: 'wipe', arguments: { text } } })
  const omitted = '(not recorded: the search for secrets took too long)'
  expect(written).toEqual([
    { type: 'tool_call', call: { id: 'c', name: 'wipe', arguments: { omitted } } },
  ])
})

test('the content of events is not recorded if the search fails, and a warning says why', async () => {
  const { record, written, warnings } = open({ worker: makeWorker() })
  await record.record(result('broken'))
  expect(written).toEqual([
    result('(not recorded: the search for secrets failed: the rules are broken)'),
  ])
  expect(warnings).toEqual([
    'the content of 1 event is not recorded, because the search for secrets failed: the rules are broken',
  ])
})

test('a caller learns that an event could not be recorded', async () => {
  const full = async (): Promise<never> => await Promise.reject(new Error('the disk is full'))
  const { record } = maskRecord({ record: full, close: async () => {} }, () => undefined)
  await expect(record(result('done'))).rejects.toThrow('the disk is full')
})

test.for(['arguments', 'isError', 'content', 'tool_call', 'tool_result', 'delete_all'])(
  'a text that calls a word of the format a secret removes it from texts, and changes nothing else: %s',
  async (word) => {
    const { record, written, warnings } = open()
    const call = { id: 'c', name: 'delete_all', arguments: { text: `token="${word}"` } }
    await record.record(
      { type: 'tool_call', call },
      result(`password="${word}" token="${word}" ${TOKEN}`),
    )
    await record.record(result('later'))
    expect(warnings).toEqual([])
    const [first, second, third] = written
    expect(first).toMatchObject({ type: 'tool_call', call: { id: 'c', name: 'delete_all' } })
    expect(Object.keys(first?.type === 'tool_call' ? first.call : {})).toEqual(Object.keys(call))
    expect(second).toMatchObject({
      type: 'tool_result',
      result: { id: 'c', isError: false, content: [{ type: 'text', text: expect.any(String) }] },
    })
    expect(JSON.stringify(written)).not.toContain(TOKEN)
    expect(third).toEqual(result('later'))
  },
)
