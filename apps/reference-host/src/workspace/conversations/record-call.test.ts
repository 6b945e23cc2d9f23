import { type ConversationStore, openStore } from '@toolblocks/conversation-store'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ChosenStore, readStoreAddress } from '../store/choose-store.ts'
import { createRecorder, openRecord, openRecords } from './record-call.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolblocks-record-'))
})

afterEach(async () => rm(folder, { recursive: true }))

function storeAt(url: string): ChosenStore {
  return { kind: 'written', address: readStoreAddress(url, folder) }
}

const STORE = 'sqlite:kept/calls.db'

test('events are stored in the configured store', async () => {
  const warnings: string[] = []
  const record = await openRecord(storeAt(STORE), 'c', (text) => warnings.push(text))
  await record.record({ type: 'turn_start', turn: 1 })
  await record.close()
  const store = await openStore(`sqlite:${join(folder, 'kept/calls.db')}`)
  const { events } = await store.read('c')
  await store.close()
  expect(events.map(({ event }) => event)).toEqual([{ type: 'turn_start', turn: 1 }])
  expect(warnings).toEqual([])
})

test('a store that cannot be opened is reported once, and nothing else is lost', async () => {
  await writeFile(join(folder, 'kept'), 'a file, where a folder must be')
  const warnings: string[] = []
  const record = await openRecord(storeAt(STORE), 'c', (text) => warnings.push(text))
  await record.record({ type: 'turn_start', turn: 1 })
  await record.close()
  expect(warnings).toHaveLength(1)
  expect(warnings[0]).toContain(`the call is not recorded in ${folder}/kept/calls.db: `)
})

test('a store that fails later is reported once', async () => {
  const warnings: string[] = []
  const record = await openRecord(storeAt(STORE), '\ud800', (text) => warnings.push(text))
  await record.record({ type: 'turn_start', turn: 1 })
  await record.record({ type: 'turn_start', turn: 2 })
  await record.close()
  expect(warnings).toHaveLength(1)
})

test('a store that fails for a time gets the events of that time later, and both changes are reported', async () => {
  const warnings: string[] = []
  const record = await openRecord(storeAt(STORE), 'c', (text) => warnings.push(text))
  await record.record({ type: 'turn_start', turn: 1 })
  const other = new DatabaseSync(join(folder, 'kept/calls.db'))
  other.exec(
    "CREATE TRIGGER full BEFORE INSERT ON events BEGIN SELECT RAISE(FAIL, 'no space'); END",
  )
  await record.record({ type: 'turn_start', turn: 2 })
  await record.record({ type: 'turn_start', turn: 3 })
  expect(record.isFailing?.()).toBe(true)
  other.exec('DROP TRIGGER full')
  await record.record({ type: 'turn_start', turn: 4 })
  expect(record.isFailing?.()).toBe(false)
  other.close()
  const { events } = (await record.store?.read('c')) ?? { events: [] }
  expect(events.map(({ event }) => event)).toEqual(
    [1, 2, 3, 4].map((turn) => ({ type: 'turn_start', turn })),
  )
  await record.close()
  expect(warnings).toEqual([
    expect.stringContaining('no space'),
    `calls are recorded in ${folder}/kept/calls.db again`,
  ])
})

test('of more events than are kept, the record says how many are missing', async () => {
  const record = await openRecord(storeAt(STORE), 'c', () => undefined)
  await record.record({ type: 'turn_start', turn: 1 })
  const other = new DatabaseSync(join(folder, 'kept/calls.db'))
  other.exec(
    "CREATE TRIGGER full BEFORE INSERT ON events BEGIN SELECT RAISE(FAIL, 'no space'); END",
  )
  for (let turn = 2; turn < 210; turn += 1) await record.record({ type: 'turn_start', turn })
  other.exec('DROP TRIGGER full')
  other.close()
  await record.record({ type: 'turn_start', turn: 210 })
  const { events } = (await record.store?.read('c', { limit: Infinity })) ?? { events: [] }
  expect(events).toHaveLength(203)
  expect(events.at(-2)?.event).toEqual({ type: 'configuration', values: { missing_events: 8 } })
  await record.close()
})

test('two conversations of one store are recorded apart', async () => {
  const records = await openRecords(storeAt(STORE), () => undefined)
  const [one, two] = [records.begin('one'), records.begin('two')]
  await Promise.all([
    one.record({ type: 'turn_start', turn: 1 }),
    two.record({ type: 'turn_start', turn: 7 }),
  ])
  const { events } = (await records.store?.read('two')) ?? { events: [] }
  expect(events.map(({ event }) => event)).toEqual([{ type: 'turn_start', turn: 7 }])
  await one.close()
  await two.record({ type: 'turn_start', turn: 8 })
  expect((await records.store?.read('two'))?.events).toHaveLength(2)
  await records.close()
})

test('the output of a tool is stored while it runs', async () => {
  const record = await openRecord(storeAt(STORE), 'c', () => {})
  const bytes = new Uint8Array([0, 255])
  const kept = await record.keepBytes?.(bytes, { call: 'call-1', stream: 'stdout' })
  await record.close()
  const store = await openStore(`sqlite:${join(folder, 'kept/calls.db')}`)
  expect(await store.readBytes(kept?.sha256 ?? '')).toEqual(bytes)
  await store.close()
})

test('a server that cannot be reached is named without its password', async () => {
  const warnings: string[] = []
  const url = 'postgres://me:secret@127.0.0.1:1/kept'
  await openRecord(storeAt(url), 'c', (text) => warnings.push(text))
  expect(warnings).toHaveLength(1)
  expect(warnings[0]).toMatch(/^the call is not recorded in postgres:\/\/127\.0\.0\.1:1\/kept: /)
  expect(warnings[0]).not.toContain('secret')
})

test('without a store nothing is recorded', async () => {
  const record = await openRecord(
    { kind: 'default', address: readStoreAddress(STORE, folder) },
    'c',
    () => {},
  )
  await expect(record.record({ type: 'turn_start', turn: 1 })).resolves.toBeUndefined()
})

const turn = (number: number) => ({ type: 'turn_start', turn: number }) as const

async function readTurns(store: ConversationStore): Promise<unknown[]> {
  const { events } = await store.read('c')
  return events.map(({ event }) => (event.type === 'turn_start' ? event.turn : event))
}

test('events are stored in the order of the calls, even if the calls do not wait for each other', async () => {
  const store = await openStore('memory:')
  const record = createRecorder(store, 'c')
  await Promise.all([record(turn(1)), record(turn(2), turn(3)), record(turn(4))])
  expect(await readTurns(store)).toEqual([1, 2, 3, 4])
})

test('if another process writes meanwhile, no event is lost', async () => {
  const store = await openStore('memory:')
  const [one, other] = [createRecorder(store, 'c'), createRecorder(store, 'c')]
  await one(turn(1))
  await other(turn(2))
  await one(turn(3))
  expect(await readTurns(store)).toEqual([1, 2, 3])
})

test('an append that fails rejects, and others continue', async () => {
  const store = await openStore('memory:')
  const failures = [new Error('disk full')].values()
  const append: ConversationStore['append'] = async (...args) => {
    const failure = failures.next().value
    if (failure) throw failure
    return await store.append(...args)
  }
  const record = createRecorder({ ...store, append }, 'c')
  await expect(record(turn(1))).rejects.toThrow('disk full')
  await record(turn(2))
  expect(await readTurns(store)).toEqual([2])
})
