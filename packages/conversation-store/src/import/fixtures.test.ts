import { expect, test } from 'vitest'
import { openStore } from '../open-store.ts'
import { countEvents } from './counts.ts'
import { FIXTURES, fileOf, OTHERS } from './fixtures.suite.ts'
import { FORMAT_NAMES } from './format-name.ts'
import { RECORD_FORMATS, TEXT_FORMATS } from './formats.ts'
import { importConversation } from './into-store/import-conversation.ts'
import { detectFormat, readConversations } from './read-conversations.ts'
import { splitDocument } from './records/split-document.ts'
import { openSource } from './sources/source-files.ts'
import { isSqlite } from './sqlite/sqlite-source.ts'

test('every format has a fixture', () => {
  const formats = new Set(FIXTURES.map(({ format }) => format))
  expect(FORMAT_NAMES.filter((name) => !formats.has(name))).toEqual([])
})

function claimsOf(path: string): readonly string[] {
  const source = openSource(path)
  if (isSqlite(source.head)) return [detectFormat(source) ?? 'nothing']
  const split = { ...source, document: splitDocument(source.bytes) }
  return [
    ...TEXT_FORMATS.filter(({ is }) => is(source)),
    ...RECORD_FORMATS.filter(({ is }) => !path.endsWith('.md') && is(split)),
  ].map(({ name }) => name)
}

test.for(FIXTURES)('$name is claimed by its format alone', (fixture) => {
  const path = fileOf(fixture)
  expect(claimsOf(path)).toEqual([fixture.format])
  expect(detectFormat(openSource(path))).toBe(fixture.format)
})

test.for(OTHERS)('%s lies beside a conversation, and is claimed by no format', (path) => {
  expect(claimsOf(path)).toEqual([])
})

test.for(FIXTURES)(
  '$name is read, counted alike, kept, and the same the next time',
  async (fixture) => {
    const source = openSource(fileOf(fixture))
    const store = await openStore('memory:')
    const conversations = readConversations(source)
    expect(conversations.length).toBeGreaterThan(0)
    for (const read of conversations) {
      expect(read.format).toBe(fixture.format)
      expect(read.problems).toEqual([])
      expect(read.before).toEqual(countEvents(read.events.map(({ event }) => event)))
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
