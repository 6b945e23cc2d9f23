import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest'
import type { ConversationEvent } from '../events/conversation-event.ts'
import { openStore } from '../open-store.ts'
import {
  findPostgres,
  type PostgresServer,
  startPostgres,
} from '../rows/postgres/postgres-server.support.ts'
import type { ConversationStore } from './conversation-store.ts'

/** Hours of the clock at each append: it is set forward by a year, and back by two. */
const HOURS = [0, 1, 8760, 8761, -8760, -8760, -8759, 0]

const START = Date.UTC(2026, 0, 1)
const SECRET = 'correct-horse'
const turn = (number: number): ConversationEvent => ({ type: 'turn_start', turn: number })
const long: ConversationEvent = {
  type: 'user_message',
  content: [{ type: 'text', text: `${SECRET} `.repeat(1000) }],
}
const bin = findPostgres()

let server: PostgresServer | undefined
beforeAll(async () => {
  if (bin !== undefined) server = await startPostgres(bin)
})
afterAll(() => server?.stop())

/** Opens a store of an engine. That of PostgreSQL is the same for all tests. */
async function openTemporary(engine: string, now: () => Date): Promise<ConversationStore> {
  if (engine === 'memory') return await openStore('memory:', { now })
  if (engine === 'PostgreSQL') return await openStore(server?.url('postgres') ?? '', { now })
  const folder = mkdtempSync(join(tmpdir(), 'toolblocks-clock-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return await openStore(`sqlite:${join(folder, 'c.db')}`, { now })
}

describe.each(['memory', 'SQLite', ...(bin === undefined ? [] : ['PostgreSQL'])])(
  'with a clock that is set, the %s store',
  (engine) => {
    let hours = 0
    let store: ConversationStore
    beforeEach(async () => {
      hours = 0
      store = await openTemporary(engine, () => new Date(START + hours * 3_600_000))
    })
    afterEach(async () => {
      const { conversations } = await store.list({ limit: Infinity })
      for (const { id } of conversations) await store.delete(id)
      await store.close()
    })

    test('keeps the order of appends, dates each event as given, and follows all of them', async () => {
      const leaving = new AbortController()
      const followed: number[] = []
      const following = (async () => {
        for await (const { seq } of store.follow('c', { signal: leaving.signal }))
          if (followed.push(seq) === HOURS.length) return
      })()
      for (const [index, hour] of HOURS.entries()) {
        hours = hour
        expect(await store.append('c', index, [turn(index)])).toEqual({ ok: true, seq: index + 1 })
      }
      const { events } = await store.read('c')
      expect(events.map(({ at }) => (Date.parse(at) - START) / 3_600_000)).toEqual(HOURS)
      expect(events.map(({ event }) => event)).toEqual(HOURS.map((_, index) => turn(index)))
      expect(await store.verify('c')).toEqual([])
      await following
      leaving.abort()
      expect(followed).toEqual(HOURS.map((_, index) => index + 1))
    })

    test('lists the most recently written conversation first, and continues lists and searches', async () => {
      for (const [index, hour] of HOURS.entries()) {
        hours = hour
        await store.append(`c${index}`, 0, [{ ...long, content: [{ type: 'text', text: 'word' }] }])
      }
      const ids: string[] = []
      let cursor: string | undefined
      do {
        const list = await store.list({ limit: 3, ...(cursor !== undefined && { cursor }) })
        ids.push(...list.conversations.map(({ id }) => id))
        cursor = list.next
      } while (cursor !== undefined)
      const expected = HOURS.map((_, index) => `c${index}`).toReversed()
      expect(ids).toEqual(expected)
      const hits = await store.search({ text: 'word' })
      expect(hits.map(({ conversation }) => conversation)).toEqual(expected)
    })

    test('collects no text of an event, and no bytes that an event refers to', async () => {
      const raw = await store.keepBytes(Buffer.from('output'))
      const metadata = { raw }
      const result = { content: [], isError: false, metadata }
      await store.append('c', 0, [long, { type: 'tool_result', result }])
      for (const hour of HOURS) {
        hours = hour
        expect(await store.collectBytes()).toBe(0)
      }
      expect((await store.read('c')).events).toHaveLength(2)
      expect(await store.readBytes(raw.sha256)).toBeDefined()
    })

    test('removes a scrubbed value also if it was stored before the clock was set back', async () => {
      await store.append('c', 0, [long])
      hours = -8760
      expect(await store.scrub({ secret: SECRET })).toMatchObject({ blobs: 1, shared: 0 })
    })
  },
)

test('a step of the clock of the machine neither ends nor extends the wait for a SQLite file that is held', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolblocks-clock-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'c.db')
  const store = await openStore(`sqlite:${file}`)
  const { DatabaseSync } = await import('node:sqlite')
  const holder = new DatabaseSync(file)
  holder.exec('BEGIN IMMEDIATE')
  const appending = store.append('c', 0, [turn(1)])
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  for (const hour of HOURS) {
    vi.setSystemTime(START + hour * 3_600_000)
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
  holder.exec('COMMIT')
  holder.close()
  expect(await appending).toEqual({ ok: true, seq: 1 })
  await store.close()
})
