import { expect, test } from 'vitest'
import { openStore } from '../open-store.ts'
import { type StoredEntry, readEntries } from './read-entries.ts'
import { renderJsonLinesExport } from './render-json-lines.ts'

test('each event is one line of printable characters, with its time and its original', async () => {
  const store = await openStore('memory:')
  const time = '2020-01-02T03:04:05.000Z'
  const content = [{ type: 'text' as const, text: 'a\nb\u2028\u001B[2J' }]
  const event = { type: 'user_message' as const, content }
  await store.append('lamps', 0, [{ event, at: time, original: new Uint8Array([0, 255, 10]) }])
  const lines = await collect(renderJsonLinesExport(readEntries(store, 'lamps')))
  expect(lines.map((line) => /^[^\p{Cc}\p{Zl}]+\n$/u.test(line))).toEqual([true])
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
    { seq: 1, at: time, event, original: 'AP8K' },
  ])
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
