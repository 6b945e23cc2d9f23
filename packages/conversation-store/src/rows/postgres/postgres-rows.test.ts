import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { describeConversationStore } from '../../compliance/describe-conversation-store.support.ts'
import { leak, SECRET, TRACES } from '../../compliance/scrub.support.ts'
import type { ConversationEvent } from '../../events/conversation-event.ts'
import { killWriters } from '../../killed-writers/kill-writers.support.ts'
import { openStore } from '../../open-store.ts'
import { createStore } from '../../store/create-store.ts'
import { connectWithPg } from './postgres-client.ts'
import { openPostgresRows } from './postgres-rows.ts'
import { prepareTables } from './postgres-schema.ts'
import { findPostgres, type PostgresServer, startPostgres } from './postgres-server.support.ts'

const bin = findPostgres()
const turn = (number: number): ConversationEvent => ({ type: 'turn_start', turn: number })

// Without the programs of PostgreSQL there is no server for these tests.
describe.skipIf(bin === undefined)('PostgreSQL', () => {
  let server: PostgresServer
  let schemas = 0
  beforeAll(async () => {
    server = await startPostgres(bin ?? '')
  })
  afterAll(() => server.stop())

  /** Creates a separate schema, because creating a database takes a hundred times as long. */
  async function makeSchema(): Promise<string> {
    schemas += 1
    const name = `test${schemas}`
    await change(server.url('postgres'), `CREATE SCHEMA ${name}`)
    return `${server.url('postgres')}?options=-c%20search_path%3D${name}`
  }

  async function change(url: string, sql: string): Promise<void> {
    const client = new pg.Client(url)
    await client.connect()
    await client.query(sql)
    await client.end()
  }

  describeConversationStore('PostgreSQL', async (now) => {
    const url = await makeSchema()
    const rows = await openPostgresRows(await connectWithPg(url), 'the database')
    return {
      store: createStore(rows, { now }),
      rows,
      openAgain: async () => await openStore(url, { now }),
      remove: async () => {},
    }
  })

  test('hosts that start together create the tables once', async () => {
    const url = await makeSchema()
    const stores = await Promise.all(Array.from({ length: 5 }, () => openStore(url)))
    const appended = await Promise.all(
      stores.map((store, index) => store.append(`c${index}`, 0, [turn(1)])),
    )
    expect(appended.every(({ ok }) => ok)).toBe(true)
    expect((await stores[0]?.list())?.conversations).toHaveLength(5)
    for (const store of stores) await store.close()
  })

  test('eight hosts that write one conversation lose nothing, duplicate nothing, and keep their order', async () => {
    const url = await makeSchema()
    const stores = await Promise.all(Array.from({ length: 8 }, () => openStore(url)))
    await Promise.all(
      stores.map(async (store, host) => {
        let seq = 0
        for (let count = 0; count < 25;) {
          const event: ConversationEvent = { type: 'turn_start', turn: host * 1000 + count }
          const appended = await store.append('c', seq, [event])
          seq = appended.seq
          if (appended.ok) count += 1
        }
      }),
    )
    const { events } = await (stores[0] ?? (await openStore(url))).read('c', { limit: Infinity })
    const numbers = events.map(({ event }) => (event.type === 'turn_start' ? event.turn : -1))
    expect(new Set(numbers).size).toBe(200)
    for (let host = 0; host < 8; host++) {
      const own = numbers.filter((number) => Math.floor(number / 1000) === host)
      expect(own).toEqual(Array.from({ length: 25 }, (_, count) => host * 1000 + count))
    }
    expect(await stores[1]?.verify('c')).toEqual([])
    for (const store of stores) await store.close()
  })

  test('acknowledged events exist after a crash of the server, and the store continues', async () => {
    const url = await makeSchema()
    const store = await openStore(url)
    await store.append('c', 0, [turn(1), turn(2)])
    server.crash()
    expect((await store.read('c')).events).toHaveLength(2)
    expect(await store.append('c', 2, [turn(3)])).toEqual({ ok: true, seq: 3 })
    await store.close()
  })

  test('acknowledged events exist after writers are killed at random moments, and no event is incomplete', async () => {
    const cache = mkdtempSync(join(tmpdir(), 'toolblocks-compiled-'))
    onTestFinished(() => rmSync(cache, { recursive: true, force: true }))
    const left = await killWriters(await makeSchema(), { kills: 20, cache, mostEvents: 20 })
    expect(left).toMatchObject({ kills: 20, lost: 0, half: 0, unacknowledged: 0 })
  }, 120_000)

  test('bytes are not collected while an append that has not ended begins to use them', async () => {
    const url = await makeSchema()
    const text = 'All work and no play. '.repeat(600)
    const long: ConversationEvent = { type: 'user_message', content: [{ type: 'text', text }] }
    const store = await openStore(url)
    await store.append('c', 0, [long])
    await store.delete('c')
    const client = await connectWithPg(url)
    const [written, continued] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let isOpen = false
    // Pauses each append before its transaction ends.
    const paused = await openPostgresRows(
      {
        ...client,
        inTransaction: async (kind, work) =>
          await client.inTransaction(kind, async (query) => {
            const value = await work(query)
            if (!isOpen) return value
            written.resolve()
            await continued.promise
            return value
          }),
      },
      'the database',
    )
    isOpen = true
    const appending = createStore(paused).append('c', 0, [long])
    await written.promise
    const collecting = store.collectBytes({ olderThanMs: -60_000 })
    await delay(100)
    continued.resolve()
    expect(await appending).toEqual({ ok: true, seq: 1 })
    expect(await collecting).toBe(0)
    expect((await store.read('c')).events).toHaveLength(1)
    await paused.close()
    await store.close()
  })

  test('no bytes of a scrubbed value are left in tables and indexes', async () => {
    const store = await openStore(await makeSchema())
    const hashes = await leak(store, 'c')
    const traces = [...TRACES, ...hashes]
    const findTraces = (): readonly string[] => {
      const tables = server.readTables()
      return traces.filter((trace) => tables.includes(trace))
    }
    expect(findTraces()).toEqual(expect.arrayContaining(['hunter2', ...hashes]))
    await store.scrub({ secret: SECRET })
    expect(findTraces()).toEqual([])
    await store.close()
  })

  test.for([
    ['a changed event', 'UPDATE toolblocks_events SET at = at || $$0$$ WHERE seq = 2', 2],
    ['a missing event', 'DELETE FROM toolblocks_events WHERE seq = 1', 1],
    ['a changed end', 'UPDATE toolblocks_conversations SET seq = 2', 2],
  ] as const)('finds %s', async ([, sql, seq]) => {
    const url = await makeSchema()
    const store = await openStore(url)
    await store.append('c', 0, [turn(1), turn(2), turn(3)])
    await change(url, sql)
    await expect(store.read('c')).rejects.toMatchObject({ code: 'damaged', conversation: 'c', seq })
    expect(await store.verify('c')).not.toEqual([])
    await store.close()
  })

  test('tables get the changes of a later layout once, although two hosts open them together', async () => {
    const url = await makeSchema()
    const store = await openStore(url)
    await store.append('c', 0, [turn(1)])
    await store.close()
    const next = {
      version: 6,
      create: '',
      changes: {
        6: 'ALTER TABLE toolblocks_events ADD COLUMN invented INTEGER NOT NULL DEFAULT 9',
      },
    }
    const clients = await Promise.all([connectWithPg(url), connectWithPg(url)])
    await Promise.all(clients.map((client) => prepareTables(client, next)))
    const [client] = clients
    expect(await client.query('SELECT seq, invented FROM toolblocks_events')).toEqual([
      { seq: 1, invented: 9 },
    ])
    await Promise.all(clients.map((each) => each.close()))
    await expect(openStore(url)).rejects.toMatchObject({ code: 'newer-version' })
  })

  test('refuses tables from before the first release, and does not change them', async () => {
    const url = await makeSchema()
    await (await openStore(url)).close()
    await change(url, 'UPDATE toolblocks_layout SET version = 4')
    await expect(openStore(url)).rejects.toMatchObject({ code: 'older-version' })
    await change(url, 'UPDATE toolblocks_layout SET version = 5')
    await (await openStore(url)).close()
  })

  test('does not change tables of a newer version', async () => {
    const url = await makeSchema()
    await (await openStore(url)).close()
    await change(url, 'UPDATE toolblocks_layout SET version = 99')
    await expect(openStore(url)).rejects.toMatchObject({ code: 'newer-version' })
  })

  test('the error for a missing database has its name, without the password', async () => {
    const url = server.url('missing').replace('@', ':secret@')
    const opening = openStore(url)
    await expect(opening).rejects.toMatchObject({ code: 'cannot-open' })
    await expect(opening).rejects.toThrow(
      /^The store postgres:\/\/127\.0\.0\.1:\d+\/missing cannot be reached: database "missing" does not exist\.$/,
    )
  })
})

test('the error for a missing server has its name', async () => {
  const opening = openStore('postgres://127.0.0.1:1/x')
  await expect(opening).rejects.toMatchObject({ code: 'cannot-open' })
})
