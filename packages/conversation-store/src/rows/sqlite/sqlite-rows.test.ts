import { existsSync } from 'node:fs'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { describeConversationStore } from '../../compliance/describe-conversation-store.support.ts'
import { killWriters } from '../../killed-writers/kill-writers.support.ts'
import { openStore } from '../../open-store.ts'
import type { Layout } from '../layout.ts'
import { createStore } from '../../store/create-store.ts'
import { openDatabase } from './open-database.ts'
import { openSqliteRows } from './sqlite-rows.ts'
import { checkKeys, getKey, keysEnd, LAYOUT, MAX_EVENTS } from './sqlite-schema.ts'
import { file, folder, tamper, turns, written, useDatabaseFile } from './database-file.support.ts'

describeConversationStore('sqlite', async (now) => {
  const made = await mkdtemp(join(tmpdir(), 'toolblocks-store-'))
  const path = join(made, 'folder/c.db')
  const rows = await openSqliteRows(path)
  return {
    store: createStore(rows, { now }),
    rows,
    openAgain: async () => await openStore(`sqlite:${path}`, { now }),
    remove: async () => rm(made, { recursive: true }),
  }
})

useDatabaseFile()

const NOW = '2026-11-21T00:00:00.000Z'
const NO_BLOBS = { blobs: [], at: NOW }

test('events exist when the file is opened again', async () => {
  await written(3)
  const store = await openStore(`sqlite:${file}`)
  expect((await store.read('c')).events).toHaveLength(3)
  expect(await store.append('c', 3, turns(1))).toEqual({ ok: true, seq: 4 })
  await store.close()
})

test('returns an unknown kind of event, from a newer version, unchanged', async () => {
  const bytes = Buffer.from('{"type":"weather","degrees":20}')
  const rows = await openSqliteRows(file)
  await rows.append('c', 0, [{ at: NOW, bytes }], NO_BLOBS)
  await rows.close()
  const store = await openStore(`sqlite:${file}`)
  const [stored] = (await store.read('c')).events
  expect(stored?.event).toEqual({ type: 'unknown', value: { type: 'weather', degrees: 20 } })
  await store.close()
})

test('lists unchanged bytes that are not an event separately, and the other events stay readable', async () => {
  const bytes = ['{"type":"turn_start","turn":1}', '{"type":"turn_start"}'].map((text) =>
    Buffer.from(text),
  )
  const rows = await openSqliteRows(file)
  await rows.append(
    'c',
    0,
    bytes.map((encoded) => ({ at: NOW, bytes: encoded })),
    NO_BLOBS,
  )
  await rows.close()
  const store = await openStore(`sqlite:${file}`)
  const page = await store.read('c')
  expect(page.events.map(({ seq }) => seq)).toEqual([1])
  expect(page.damaged).toMatchObject([{ seq: 2, problem: { path: '/2', code: 'damaged-event' } }])
  expect(Buffer.from(page.damaged[0]?.bytes ?? [])).toEqual(bytes[1])
  await store.close()
})

test('refuses a database of another program, and does not change it', async () => {
  tamper('CREATE TABLE theirs (x)')
  await expect(openStore(`sqlite:${file}`)).rejects.toMatchObject({ code: 'not-a-store' })
  const database = new DatabaseSync(file)
  const names = database.prepare('SELECT name FROM sqlite_schema').all()
  database.close()
  expect(names).toEqual([{ name: 'theirs' }])
})

test('refuses a file that is not a database, and does not change it', async () => {
  await writeFile(file, 'a letter to grandmother, long enough to be read as a header of something')
  await expect(openStore(`sqlite:${file}`)).rejects.toMatchObject({ code: 'cannot-open' })
})

test('a mistyped path creates no folders, unless the host asks for them', async () => {
  const path = join(folder, 'typo/deep/c.db')
  await expect(openStore(`sqlite:${path}`)).rejects.toMatchObject({
    code: 'cannot-open',
    message: expect.stringContaining(`the folder ${join(folder, 'typo')} does not exist`),
  })
  expect(existsSync(join(folder, 'typo'))).toBe(false)
  await (await openStore(`sqlite:${path}`, { createFolders: true })).close()
  expect(existsSync(path)).toBe(true)
  await (await openStore(`sqlite:${join(folder, 'one/c.db')}`)).close()
})

test('an address with two slashes is refused with both forms that may be meant; three begin at the root', async () => {
  await expect(openStore('sqlite://c.db')).rejects.toMatchObject({
    code: 'unsupported-url',
    message: expect.stringMatching(/"sqlite:c\.db".*"sqlite:\/c\.db"/),
  })
  await (await openStore(`sqlite://${file}`)).close()
})

test('refuses a store of a newer version, with what to do', async () => {
  await written(1)
  tamper('PRAGMA user_version = 99')
  await expect(openStore(`sqlite:${file}`)).rejects.toMatchObject({
    code: 'newer-version',
    message: expect.stringContaining('update toolblocks'),
  })
})

test('refuses a store whose layout number was lost, and does not change it', async () => {
  await written(1)
  tamper('PRAGMA user_version = 0')
  await expect(openStore(`sqlite:${file}`)).rejects.toMatchObject({
    code: 'damaged',
    message: expect.stringContaining('without the number of its layout'),
  })
  tamper('PRAGMA user_version = 7')
  const store = await openStore(`sqlite:${file}`)
  expect((await store.read('c')).events).toHaveLength(1)
  await store.close()
})

test('refuses a store from before the first release, and does not change it', async () => {
  await written(1)
  tamper('PRAGMA user_version = 6')
  await expect(openStore(`sqlite:${file}`)).rejects.toMatchObject({
    code: 'older-version',
    message: expect.stringContaining('layout 6, this one reads 7'),
  })
  tamper('PRAGMA user_version = 7')
  const store = await openStore(`sqlite:${file}`)
  expect((await store.read('c')).events).toHaveLength(1)
  await store.close()
})

test('a file gets all changes of a later layout or none, and is then no file of this version', async () => {
  await written(2)
  const next = (last: string): Layout => ({
    version: LAYOUT.version + 2,
    create: '',
    changes: {
      [LAYOUT.version + 1]: 'ALTER TABLE events ADD COLUMN invented INTEGER NOT NULL DEFAULT 9',
      [LAYOUT.version + 2]: last,
    },
  })
  const broken = openSqliteRows(file, { layout: next('DROP TABLE missing') })
  await expect(broken).rejects.toMatchObject({ code: 'cannot-open' })
  const unchanged = await openStore(`sqlite:${file}`)
  expect((await unchanged.read('c')).events).toHaveLength(2)
  await unchanged.close()
  const layout = next('UPDATE events SET invented = 10 WHERE seq = 2')
  for (const _ of ['changed', 'opened again']) {
    const rows = await openSqliteRows(file, { layout })
    expect((await rows.scan('c', 0, 9)).rows).toHaveLength(2)
    await rows.close()
  }
  const database = new DatabaseSync(file)
  expect(database.prepare('SELECT invented FROM events').all()).toEqual([
    { invented: 9 },
    { invented: 10 },
  ])
  database.close()
  await expect(openStore(`sqlite:${file}`)).rejects.toMatchObject({ code: 'newer-version' })
})

test('a folder that cannot be created is an error with the name of the file', async () => {
  await writeFile(join(folder, 'blocked'), '')
  await expect(openStore(`sqlite:${join(folder, 'blocked/c.db')}`)).rejects.toMatchObject({
    code: 'cannot-open',
    message: expect.stringContaining('blocked/c.db'),
  })
})

test.for(['', 'sqlite:', 'mysql://localhost/x', 'c.db'])(
  'refuses the url %j, with what is expected',
  async (url) => {
    await expect(openStore(url)).rejects.toMatchObject({
      code: 'unsupported-url',
      message: expect.stringContaining('"sqlite:PATH" or "postgres://…"'),
    })
  },
)

const writer = `
  import { openStore } from ${JSON.stringify(new URL('../../open-store.ts', import.meta.url).href)}
  const [, , url, conversation, count] = process.argv
  const store = await openStore(url)
  let seq = 0
  for (let done = 0; done < Number(count); ) {
    const result = await store.append(conversation, seq, [{ type: 'turn_start', turn: process.pid }])
    seq = result.seq
    if (result.ok) { done += 1; console.log(seq) }
  }
`

test('several processes append to one conversation without a gap or a loss', async () => {
  await writeFile(join(folder, 'writer.mjs'), writer)
  const run = promisify(execFile)
  const args = [join(folder, 'writer.mjs'), `sqlite:${file}`, 'c', '40']
  const outputs = await Promise.all([1, 2, 3].map(() => run(process.execPath, args)))
  const acknowledged = outputs.flatMap(({ stdout }) => stdout.trim().split('\n').map(Number))
  expect(acknowledged.toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 120 }, (_, index) => index + 1),
  )
  const store = await openStore(`sqlite:${file}`)
  expect(await store.verify('c')).toEqual([])
  await store.close()
})

test('acknowledged events exist after writers are killed at random moments, and no event is incomplete', async () => {
  const how = { kills: 20, cache: join(folder, 'compiled'), mostEvents: 20 }
  const left = await killWriters(`sqlite:${file}`, how)
  expect(left).toMatchObject({ kills: 20, lost: 0, half: 0, unacknowledged: 0 })
}, 120_000)

test('an append that continues from the one before detects what has changed in between', async () => {
  const store = await openStore(`sqlite:${file}`)
  await store.append('c', 0, turns(1))
  const other = await openStore(`sqlite:${file}`)
  await other.append('c', 1, turns(1))
  expect(await store.append('c', 1, turns(1))).toEqual({ ok: false, seq: 2 })
  await other.append('d', 0, turns(1))
  expect(await store.append('c', 2, turns(1))).toEqual({ ok: true, seq: 3 })
  expect((await other.list()).conversations.map(({ id }) => id)).toEqual(['c', 'd'])
  await other.close()
  tamper("UPDATE conversations SET created_at = '2000' WHERE id = 'c'")
  await expect(store.append('c', 3, turns(1))).rejects.toMatchObject({ code: 'damaged', seq: 3 })
  await store.close()
})

test('events of one append are stored in their order, however many there are', async () => {
  const store = await openStore(`sqlite:${file}`)
  await store.append('c', 0, turns(213))
  const { events } = await store.read('c', { limit: Infinity })
  expect(events.map(({ event }) => event)).toEqual(turns(213))
  expect(await store.verify('c')).toEqual([])
  await store.close()
})

test.for([
  ['full', 2],
  ['normal', 1],
] as const)('durability %s is a setting of the connection', async ([durability, synchronous]) => {
  const { database } = await openDatabase(
    file,
    { durability, createFolders: false, layout: LAYOUT, onWait: () => undefined },
    () => undefined,
  )
  expect(database.prepare('PRAGMA synchronous').get()).toEqual({ synchronous })
  database.close()
})

test('keys of a conversation are consecutive, and those of the next one follow them', () => {
  const keys = [getKey(3, 1), getKey(3, 2), getKey(3, MAX_EVENTS), keysEnd(3), getKey(4, 1)]
  expect(keys).toEqual(keys.toSorted((a, b) => a - b))
  expect(new Set(keys).size).toBe(keys.length)
})

test('a place after all events stays in the conversation', () => {
  expect(getKey(3, Infinity)).toBeLessThan(keysEnd(3))
  expect(getKey(3, 2 ** 40)).toBe(getKey(3, MAX_EVENTS))
})

test('refuses more than there are keys for, with what to do', () => {
  checkKeys({ id: 'c', number: 1 }, MAX_EVENTS)
  expect(() => checkKeys({ id: 'c', number: 1 }, MAX_EVENTS + 1)).toThrow(
    'Nothing was appended to conversation "c": a file can hold at most 268435455 events of one conversation; begin another one.',
  )
  expect(() => checkKeys({ id: 'c', number: 2 ** 26 }, 1)).toThrow(
    'Nothing was appended to conversation "c": a file can hold at most 33554430 conversations; begin another file.',
  )
})
