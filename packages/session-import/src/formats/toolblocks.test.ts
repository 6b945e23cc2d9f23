import {
  type ConversationEvent,
  type ConversationStore,
  openStore,
  readEntries,
  renderJsonLinesExport,
} from '@toolblocks/conversation-store'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { detectFormat, importConversation, readConversations } from '../import-conversation.ts'
import { openSource } from '../sources/source.ts'
import { getLines, getSource } from '../sources/make-source.support.ts'

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolblocks-own-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'old.db')
}

/** Long enough to be stored in pieces. */
const OUTPUT = Buffer.alloc(2_500_000, 'raw output ')
const original = Buffer.from('{"of": "a record"}')
const long = 'a long text '.repeat(2000)

async function fill(store: ConversationStore): Promise<void> {
  const raw = await store.keepBytes(OUTPUT)
  const events: ConversationEvent[] = [
    { type: 'user_message', content: [{ type: 'text', text: long }] },
    { type: 'tool_call', call: { id: 'c', name: 'x', arguments: {} } },
    { type: 'tool_result', result: { id: 'c', content: [], isError: true, metadata: { raw } } },
    { type: 'assistant_message', content: [], reasoning: 'only thought' },
  ]
  await store.append('lamps', 0, [
    ...events,
    { event: { type: 'turn_start', turn: 1 }, at: '2026-01-01T00:00:00Z', original },
  ])
}

test('imports another store unchanged: ids, times, originals, long texts, bytes of outputs', async () => {
  const file = newFile()
  const old = await openStore(`sqlite:${file}`)
  await fill(old)
  const { events } = await old.read('lamps')
  await old.close()
  const [conversation] = readConversations(openSource(file))
  if (!conversation) throw new Error('expected a conversation')
  const store = await openStore('memory:')
  const imported = await importConversation(store, conversation)
  expect(imported).toMatchObject({ conversation: 'lamps', after: conversation.before })
  expect((await store.read('lamps')).events).toEqual(events)
  const raw =
    events[2]?.event.type === 'tool_result' ? events[2].event.result.metadata?.raw : undefined
  const output = await store.readBytes(raw?.sha256 ?? '')
  expect(output && OUTPUT.equals(output)).toBe(true)
  expect(await importConversation(store, conversation)).toMatchObject({ state: 'present' })
})

test('imports an export unchanged, and reports a damaged line', async () => {
  const time = '2026-01-01T00:00:00.000Z'
  const weather = { type: 'weather', degrees: 20 }
  const lines = [
    {
      seq: 1,
      at: time,
      event: { type: 'turn_start', turn: 1 },
      original: original.toString('base64'),
    },
    { seq: 2, at: time, event: { type: 'unknown', value: weather } },
    { seq: 3, bytes: 'AA==', problem: { path: '/3', message: 'damaged' } },
    { seq: 4, at: time, event: { type: 'answer', id: 'q', callId: 'c', action: 'decline' } },
  ]
  const source = getSource(getLines(lines), { path: '/x/lamps.jsonl' })
  expect(detectFormat(source)).toBe('toolblocks')
  const [conversation] = readConversations(source)
  expect(conversation).toMatchObject({
    id: 'lamps',
    bytes: original.length,
    problems: [{ path: '/2', code: 'odd-record' }],
  })
  expect(conversation?.before).toMatchObject({ turns: 1, unknown: 1 })
  const store = await openStore('memory:')
  if (conversation) await importConversation(store, conversation)
  expect((await store.read('lamps')).events).toEqual([
    {
      seq: 1,
      at: time,
      event: { type: 'turn_start', turn: 1 },
      original: new Uint8Array(original),
    },
    { seq: 2, at: time, event: { type: 'unknown', value: weather } },
    { seq: 3, at: time, event: { type: 'answer', id: 'q', callId: 'c', action: 'decline' } },
  ])
})

test('an exported conversation is imported again with its events, times and originals, and its lines are printable', async () => {
  const store = await openStore('memory:')
  const time = '2020-01-02T03:04:05.000Z'
  const event: ConversationEvent = {
    type: 'user_message',
    content: [{ type: 'text', text: 'a\nb\u2028\u001B[2J' }],
  }
  await store.append('lamps', 0, [
    { event, at: time, original: new Uint8Array([0, 255, 10]) },
    { event: { type: 'turn_start', turn: 2 }, at: time },
  ])
  const lines = await collect(renderJsonLinesExport(readEntries(store, 'lamps')))
  expect(lines.map((line) => /^[^\p{Cc}\p{Zl}]+\n$/u.test(line))).toEqual([true, true])

  const file = newFile()
  writeFileSync(file, lines.join(''))
  const [read] = readConversations(openSource(file))
  if (read === undefined) throw new Error('no conversation was read')
  expect(read.format).toBe('toolblocks')
  const { conversation: id } = await importConversation(store, read)
  expect(await collect(renderJsonLinesExport(readEntries(store, id)))).toEqual(lines)
})

async function collect<Piece>(pieces: AsyncIterable<Piece>): Promise<readonly Piece[]> {
  const collected: Piece[] = []
  for await (const piece of pieces) collected.push(piece)
  return collected
}
