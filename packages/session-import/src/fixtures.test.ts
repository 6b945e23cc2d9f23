import { FORMAT_NAMES, openStore } from '@toolblocks/conversation-store'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { FIXTURES, makeFile, OTHERS } from './fixtures.support.ts'
import {
  RECORD_FORMATS,
  TEXT_FORMATS,
  detectFormat,
  importConversation,
  readConversations,
} from './import-conversation.ts'
import { splitDocument } from './records/split-document.ts'
import { openSource } from './sources/source.ts'
import { getSource } from './sources/make-source.support.ts'
import { isSqlite } from './sources/sqlite-source.ts'

test('every format has a fixture', () => {
  const formats = new Set(FIXTURES.map(({ format }) => format))
  expect(FORMAT_NAMES.filter((name) => !formats.has(name))).toEqual([])
})

function getClaims(path: string): readonly string[] {
  const source = openSource(path)
  if (isSqlite(source.head)) return [detectFormat(source) ?? 'nothing']
  const split = { ...source, document: splitDocument(source.bytes) }
  return [
    ...TEXT_FORMATS.filter(({ is }) => is(source)),
    ...RECORD_FORMATS.filter(({ is }) => !path.endsWith('.md') && is(split)),
  ].map(({ name }) => name)
}

test.for(FIXTURES)('$name is recognized only by its own format', (fixture) => {
  const path = makeFile(fixture)
  expect(getClaims(path)).toEqual([fixture.format])
  expect(detectFormat(openSource(path))).toBe(fixture.format)
})

test.for(OTHERS)('%s is beside a conversation, and no format recognizes it', (path) => {
  expect(getClaims(path)).toEqual([])
})

test.for(FIXTURES)(
  '$name is read, counted in two ways with the same result, stored, and the same when read again',
  async (fixture) => {
    const source = openSource(makeFile(fixture))
    const store = await openStore('memory:')
    const conversations = readConversations(source)
    expect(conversations.length).toBeGreaterThan(0)
    for (const read of conversations) {
      expect(read.format).toBe(fixture.format)
      expect(read.problems).toEqual([])
      const imported = await importConversation(store, read)
      expect(imported).toMatchObject({
        state: 'imported',
        after: read.before,
        bytes: read.bytes,
        problems: [],
      })
      expect(await importConversation(store, read)).toMatchObject({ state: 'present', added: 0 })
    }
    await store.close()
  },
)

/** Exports hold several conversations, and a session of opencode has several files. Other tests cut those off. */
const WHOLE = /^(?:chatgpt|claude-ai|toolblocks|opencode\/storage|message-lines\/training)/
const CUT = FIXTURES.filter(({ name }) => /\.jsonl?$/.test(name) && !WHOLE.test(name))

test.for(CUT)(
  '$name: cut off anywhere in its last record, gives all other records',
  ({ path, format }) => {
    const bytes = readFileSync(path)
    const from = FORMAT_NAMES.find((name) => name === format)
    const originals = (content: Uint8Array): readonly string[] =>
      readConversations(getSource(content, { path }), from ? { from } : {})
        .flatMap(({ events }) => events)
        .flatMap(({ original }) => (original ? [Buffer.from(original).toString()] : []))
    const all = originals(bytes)
    const last = all.at(-1) ?? ''
    const start = bytes.lastIndexOf(last)
    expect(start).toBeGreaterThan(0)
    for (let cut = start + 1; cut < start + Buffer.byteLength(last); cut += 5)
      expect(originals(bytes.subarray(0, cut))).toEqual(all.slice(0, -1))
  },
)
