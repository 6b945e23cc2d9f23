import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import type { AppendResult } from '../../store/conversation-store.ts'
import { openStore } from '../../open-store.ts'
import { openSqliteRows } from './sqlite-rows.ts'
import { file, tamper, turns, written, useDatabaseFile } from './database-file.suite.ts'

useDatabaseFile()

const HEAD_BYTES = 32
const FRAME_HEAD_BYTES = 24

/** Counts the transactions in the log of the file. The last frame of each has the size of the database after it. */
async function countCommits(): Promise<number> {
  const log = await readFile(`${file}-wal`)
  const pageBytes = log.readUInt32BE(8)
  let commits = 0
  for (let at = HEAD_BYTES; at < log.length; at += FRAME_HEAD_BYTES + pageBytes)
    if (log.readUInt32BE(at + 4) > 0) commits += 1
  return commits
}

const KEPT: AppendResult = { ok: true, seq: 1 }

const names = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `conversation-${index}`)

test('appends to many conversations at the same time wait for the disk together', async () => {
  const store = await openStore(`sqlite:${file}`)
  await store.append('first', 0, turns(1))
  const before = await countCommits()
  const appended = await Promise.all(
    names(100).map(async (name) => await store.append(name, 0, turns(2))),
  )
  expect(new Set(appended.map(({ ok, seq }) => `${ok} ${seq}`))).toEqual(new Set(['true 2']))
  expect((await countCommits()) - before).toBeLessThanOrEqual(2)
  for (const name of names(100)) expect(await store.verify(name)).toEqual([])
  await store.close()
})

test('appends to one conversation at the same time have one order, and the later ones a conflict', async () => {
  const store = await openStore(`sqlite:${file}`)
  const appended = await Promise.all(
    [0, 0, 1, 2].map(async (known) => await store.append('c', known, turns(1))),
  )
  expect(appended).toEqual<AppendResult[]>([
    { ok: true, seq: 1 },
    { ok: false, seq: 1 },
    { ok: true, seq: 2 },
    { ok: true, seq: 3 },
  ])
  await store.close()
})

test('an append that fails, fails alone', async () => {
  await written(3, 'damaged')
  tamper("UPDATE conversations SET seq = 2 WHERE id = 'damaged'")
  const store = await openStore(`sqlite:${file}`)
  const append = async (name: string): Promise<unknown> =>
    await store.append(name, name === 'damaged' ? 3 : 0, turns(1)).catch((error: unknown) => error)
  const [first, failed, ...others] = await Promise.all(['a', 'damaged', 'b', 'c'].map(append))
  expect(failed).toMatchObject({ code: 'damaged', conversation: 'damaged' })
  expect([first, ...others]).toEqual(['a', 'b', 'c'].map(() => KEPT))
  for (const name of ['a', 'b', 'c']) expect((await store.read(name)).events).toHaveLength(1)
  await store.close()
})

test('rows that are closed have kept every append before', async () => {
  const rows = await openSqliteRows(file)
  const at = '2026-11-21T00:00:00.000Z'
  const event = { at, bytes: Buffer.from('{"type":"turn_start","turn":1}') }
  const appending = names(5).map((name) => rows.append(name, 0, [event], { blobs: [], at }))
  await rows.close()
  expect(await Promise.all(appending)).toEqual(names(5).map(() => KEPT))
  const store = await openStore(`sqlite:${file}`)
  for (const name of names(5)) expect((await store.read(name)).events).toHaveLength(1)
  await store.close()
})
