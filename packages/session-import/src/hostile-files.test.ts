import { FORMAT_NAMES } from '@toolblocks/conversation-store'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { MAX_IMPORT_DEPTH, MAX_IMPORT_FILE_BYTES } from '@toolblocks/protocol/internal'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readConversations } from './import-conversation.ts'
import { splitDocument } from './records/split-document.ts'
import { findSourceFiles, openSource } from './sources/source.ts'
import { getLines, getSource } from './sources/make-source.support.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolblocks-hostile-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('opened files', () => {
  test('refuses a pipe, a device and a folder, even through a link', () => {
    execFileSync('mkfifo', [join(folder, 'pipe.json')])
    symlinkSync(join(folder, 'pipe.json'), join(folder, 'link.json'))
    symlinkSync('/dev/zero', join(folder, 'zero.json'))
    symlinkSync(folder, join(folder, 'round.json'))
    const { files, skipped } = findSourceFiles(folder)
    expect(files).toHaveLength(3)
    expect(skipped.map(({ path }) => path)).toEqual([join(folder, 'zero.json')])
    for (const file of [...files, join(folder, 'zero.json')])
      expect(() => openSource(file)).toThrow(/expected a regular file, got a (?:device|folder)/)
  })

  test('refuses a file that is too large before reading it', () => {
    const file = join(folder, 'large.jsonl')
    writeFileSync(file, '{}\n')
    truncateSync(file, MAX_IMPORT_FILE_BYTES + 1)
    expect(() => readConversations(openSource(file))).toThrow(
      'expected a file of at most 1,073,741,824 bytes, got 1,073,741,825',
    )
  })

  test('skips and names a link that leads out of the folder that was named, and reads one that does not', () => {
    const named = join(folder, 'named')
    mkdirSync(named)
    const line = (text: string): string =>
      `${JSON.stringify({ role: 'user', content: text })}\n${JSON.stringify({ role: 'assistant', content: 'yes' })}\n`
    writeFileSync(join(folder, 'secret.jsonl'), line('SECRET'))
    writeFileSync(join(named, 'own.jsonl'), line('own'))
    symlinkSync('../secret.jsonl', join(named, 'out.jsonl'))
    symlinkSync('../missing.jsonl', join(named, 'broken.jsonl'))
    symlinkSync('own.jsonl', join(named, 'in.jsonl'))
    mkdirSync(join(folder, 'elsewhere'))
    symlinkSync('../elsewhere', join(named, 'sessions'))
    symlinkSync('../missing', join(named, 'unrelated'))
    const { files, skipped } = findSourceFiles(named)
    expect(files).toEqual([join(named, 'in.jsonl'), join(named, 'own.jsonl')])
    expect(skipped.toSorted((one, other) => (one.path < other.path ? -1 : 1))).toEqual([
      {
        path: join(named, 'broken.jsonl'),
        message: expect.stringContaining('a link to a file that does not exist'),
      },
      { path: join(named, 'out.jsonl'), message: expect.stringContaining('leads out of') },
      {
        path: join(named, 'sessions'),
        message: expect.stringMatching(/a link to the folder .*elsewhere, which is outside/),
      },
    ])
  })

  test.for(['message/ses_1/msg_1.json', 'message/ses_1', 'part/msg_1', 'part/msg_1/prt_1.json'])(
    'does not read files around a conversation through a link, and reports it: %s',
    (linked) => {
      const storage = join(folder, 'storage')
      const write = (parent: string, name: string, value: object): void => {
        mkdirSync(dirname(join(parent, name)), { recursive: true })
        writeFileSync(join(parent, name), JSON.stringify(value))
      }
      const message = { id: 'msg_1', sessionID: 'ses_1', role: 'user', time: { created: 1 } }
      const part = { id: 'prt_1', messageID: 'msg_1', type: 'text', text: 'SECRET' }
      for (const parent of [storage, join(folder, 'outside')]) {
        write(parent, 'message/ses_1/msg_1.json', message)
        write(parent, 'part/msg_1/prt_1.json', part)
      }
      write(storage, 'part/msg_1/prt_1.json', { ...part, text: 'own' })
      write(storage, 'session/p/ses_1.json', {
        id: 'ses_1',
        title: 't',
        version: '1',
        directory: '/w',
        time: { created: 1, updated: 1 },
      })
      rmSync(join(storage, linked), { recursive: true })
      symlinkSync(join(folder, 'outside', linked), join(storage, linked))
      const [read] = readConversations(openSource(join(storage, 'session/p/ses_1.json')))
      expect(JSON.stringify(read)).not.toContain('SECRET')
      expect(read?.problems).toContainEqual({
        path: '/0',
        code: 'linked',
        message: `${join(storage, linked)} is a link and was not read: expected a file`,
      })
    },
  )

  test('refuses files beside a conversation that are not regular files', () => {
    writeFileSync(join(folder, 'events.json'), '[]')
    execFileSync('mkfifo', [join(folder, 'metadata.json')])
    const source = openSource(join(folder, 'events.json'))
    expect(() => source.beside('metadata.json')).toThrow(
      'metadata.json beside it: expected a regular',
    )
    expect(source.beside('nothing.json')).toBeUndefined()
  })

  test('searches folders to a maximum depth, reports what it skips, and does not follow links', () => {
    const deep = join(folder, ...Array.from({ length: MAX_IMPORT_DEPTH + 2 }, () => 'd'))
    mkdirSync(deep, { recursive: true })
    writeFileSync(join(folder, 'a.json'), '[]')
    writeFileSync(join(deep, 'b.json'), '[]')
    symlinkSync(folder, join(folder, 'd', 'round'))
    const { files, skipped } = findSourceFiles(folder)
    expect(files).toEqual([join(folder, 'a.json')])
    expect(skipped).toMatchObject([{ message: expect.stringContaining('to a depth of 32') }])
  })
})

const user = { timestamp: '2026-03-05 22:12:35.5', type: 'chat_request', content: 'hello' }
const start = JSON.stringify(user)

describe('parsed files', () => {
  test.for<[string, string]>([
    ['nested without a ground', `{"a":${'['.repeat(2_000_000)}`],
    ['nested deeply and complete', `{"a":${'['.repeat(100)}${']'.repeat(100)}}`],
    ['of millions of values', `{"a":[${'{},'.repeat(1_100_000)}0]}`],
  ])('keeps the bytes of a record %s, and reports it', ([, odd]) => {
    const lines = `${start}\n${odd}\n${start}\n`
    const { records, problems } = splitDocument(Buffer.from(lines))
    expect(records.map(({ value }) => Object.keys(value).length)).toEqual([3, 0, 3])
    expect(records[1]?.bytes).toHaveLength(odd.length)
    expect(problems).toMatchObject([{ path: '/1', code: 'over-limit' }])
  })

  test('keeps the bytes of an array element that is over its budget, and reports it', () => {
    const odd = `{"a":${'['.repeat(100)}${']'.repeat(100)}}`
    const { records, problems } = splitDocument(Buffer.from(`[${start},${odd},${start}]`))
    expect(records.map(({ value }) => Object.keys(value).length)).toEqual([3, 0, 3])
    expect(problems).toMatchObject([{ path: '/1', code: 'over-limit' }])
  })

  test.for<[string, string, number]>([
    ['empty records', '{}\n', 10_000_000],
    ['empty values', `{"a":[${'{},'.repeat(100_000)}0]}\n`, 100],
    ['lines without records', 'x\n', 10_000_000],
  ])('reading millions of %s ends at the budget of the file, with a report', ([, line, count]) => {
    const { records, problems } = splitDocument(Buffer.from(`${start}\n${line.repeat(count)}`))
    expect(records.length).toBeLessThan(600_000)
    expect(problems.length).toBeLessThan(1100)
    expect(problems.at(-1)).toMatchObject({ code: 'over-limit' })
  })

  test.for<[string, object]>([
    ['jp', { type: 'compaction', from_turn: { toString: {} }, to_turn: { valueOf: {} } }],
    ['lace', { type: 'message', eventSeq: { toString: {} }, data: { content: 'hi' } }],
    ['cline', { role: 'assistant', ts: { toString: {} }, content: 'hi' }],
    ['opencode', { id: { toString: {} }, title: 't', version: '1', directory: '/w', time: {} }],
  ])('a number or a name of %s that is an object affects no other record', ([from, odd]) => {
    const name = FORMAT_NAMES.find((each) => each === from)
    const read = readConversations(getSource(getLines([user, odd])), name ? { from: name } : {})
    expect(read).toHaveLength(1)
  })

  // Searching the rest of the file for each blank would take hours here.
  test('reading an array with unlimited indentation ends', () => {
    const bytes = Buffer.from(`[\n${' '.repeat(20_000_000)}${start}]`)
    expect(splitDocument(bytes).records).toHaveLength(1)
  })

  test('parses JSON in a text of a record only if it is not many times larger than the text', () => {
    const call = (values: string) => ({
      ...user,
      type: 'tool_call_request',
      id: 'c',
      name: 'n',
      arguments: values,
    })
    const odd = `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`
    const [read] = readConversations(getSource(getLines([user, call(odd)])), { from: 'jp' })
    expect(read?.events).toHaveLength(2)
    expect(read?.before.userMessages).toBe(1)
  })
})

describe('a database', () => {
  function writeDatabase(sql: string): string {
    const file = join(folder, 'lace.db')
    const database = new DatabaseSync(file)
    database.exec(sql)
    database.close()
    return file
  }
  const threads = `CREATE TABLE threads (id TEXT PRIMARY KEY); INSERT INTO threads VALUES ('t');`
  const columns = 'id TEXT, thread_id TEXT, type TEXT, timestamp TEXT'
  const row = `INSERT INTO events (id, thread_id, type, timestamp) VALUES ('e', 't', 'USER_MESSAGE', '2026-01-01');`

  test.for<[string, string, string]>([
    [
      'that computes a column',
      `${threads} CREATE TABLE events (${columns}, data TEXT AS (hex(zeroblob(1000)))); ${row}`,
      'the table "events" computes the column "data"; expected only stored columns',
    ],
    [
      'that computes a column that is not read',
      `${threads} CREATE TABLE events (${columns}, data TEXT, rowid TEXT AS (hex(zeroblob(1000)))); ${row}`,
      'the table "events" computes the column "rowid"; expected only stored columns',
    ],
  ])('%s is refused', ([, sql, message]) => {
    expect(() => readConversations(openSource(writeDatabase(sql)))).toThrow(message)
  })

  test('whose table is a view has no known format', () => {
    const file = writeDatabase(
      `${threads} CREATE VIEW events AS SELECT 'e' AS id, 't' AS thread_id, 'USER_MESSAGE' AS type, '2026' AS timestamp, hex(zeroblob(600000000)) AS data;`,
    )
    expect(readConversations(openSource(file))).toEqual([])
  })

  test('with a value that is too large is refused before the value is read', () => {
    const file = writeDatabase(
      `${threads} CREATE TABLE events (${columns}, data TEXT); INSERT INTO events VALUES ('e', 't', 'USER_MESSAGE', '2026-01-01', zeroblob(70000000));`,
    )
    expect(() => readConversations(openSource(file))).toThrow(
      'expected at most 67,108,864 bytes in one value for a database of this size, got 70,000,000',
    )
  })

  test('with bytes where Lace writes texts, and names with quotes, is read', () => {
    const file = writeDatabase(
      `${threads} CREATE TABLE events (${columns}, data TEXT, "a""b" BLOB); ${row} UPDATE events SET "a""b" = x'00ff', data = 'hi';`,
    )
    const [read] = readConversations(openSource(file))
    expect(String(read?.events[0]?.original)).toBeDefined()
    expect(Buffer.from(read?.events[0]?.original ?? []).toString()).toContain('"a\\"b":"AP8="')
  })
})
