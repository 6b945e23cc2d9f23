import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { ConversationEvent } from '../events/conversation-event.ts'
import { importConversation, readConversations } from '../import/import-conversation.ts'
import { openSource } from '../import/sources/source.ts'
import { openStore } from '../open-store.ts'
import { type StoredEntry, readEntries } from './read-entries.ts'
import { renderJsonLinesExport } from './render-json-lines.ts'

test('an exported conversation is imported again with its events, times and originals, and its lines are printable', async () => {
  const store = await openStore('memory:')
  const at = '2020-01-02T03:04:05.000Z'
  const event: ConversationEvent = {
    type: 'user_message',
    content: [{ type: 'text', text: 'a\nb\u2028\u001B[2J' }],
  }
  await store.append('lamps', 0, [
    { event, at, original: new Uint8Array([0, 255, 10]) },
    { event: { type: 'turn_start', turn: 2 }, at },
  ])
  const lines = await collect(renderJsonLinesExport(readEntries(store, 'lamps')))
  expect(lines.map((line) => /^[^\p{Cc}\p{Zl}]+\n$/u.test(line))).toEqual([true, true])

  const folder = await mkdtemp(join(tmpdir(), 'toolblocks-export-'))
  onTestFinished(async () => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'again.jsonl'), lines)
  const [read] = readConversations(openSource(join(folder, 'again.jsonl')))
  if (read === undefined) throw new Error('no conversation was read')
  expect(read.format).toBe('toolblocks')
  const { conversation: id } = await importConversation(store, read)
  expect(await collect(renderJsonLinesExport(readEntries(store, id)))).toEqual(lines)
})

test('a damaged event keeps its bytes as base64, and a lost one its problem', async () => {
  const problem = { path: '/1', message: 'it was changed', code: 'damaged-event' } as const
  const entries: readonly StoredEntry[] = [
    { seq: 1, at: '2020-01-02T03:04:05.000Z', bytes: new Uint8Array([0, 255]), problem },
    { seq: 2, problem },
  ]
  const lines = await collect(renderJsonLinesExport(entries))
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
    { ...entries[0], bytes: 'AP8=' },
    entries[1],
  ])
})

async function collect<Piece>(pieces: AsyncIterable<Piece>): Promise<readonly Piece[]> {
  const collected: Piece[] = []
  for await (const piece of pieces) collected.push(piece)
  return collected
}
