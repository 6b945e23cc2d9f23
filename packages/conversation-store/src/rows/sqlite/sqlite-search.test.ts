import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../open-store.ts'
import { file, useDatabaseFile } from './database-file.support.ts'

useDatabaseFile()

const MANY = 300

const write = (text: string) =>
  ({ type: 'user_message', content: [{ type: 'text', text }] }) as const

/** Opens the file with conversations of five events each, and returns functions that write one more and count the hits of a word. */
async function openMany() {
  const store = await openStore(`sqlite:${file}`)
  onTestFinished(async () => await store.close())
  for (let count = 0; count < MANY; count += 1)
    await store.append(
      `c${count}`,
      0,
      [1, 2, 3, 4, 5].map((number) => write(`buoy ${count} event${number}`)),
    )
  return {
    store,
    grow: async (count: number) => await store.append(`c${count}`, 5, [write('heron')]),
    count: async (text: string) => (await store.search({ text, limit: 1000 })).length,
  }
}

test('the first search of many short conversations indexes several of them at once', async () => {
  const { count } = await openMany()
  const begun: string[] = []
  const { exec } = DatabaseSync.prototype
  DatabaseSync.prototype.exec = function counted(sql) {
    if (sql.startsWith('BEGIN')) begun.push(sql)
    return exec.call(this, sql)
  }
  try {
    expect(await count('299 event5')).toBe(1)
  } finally {
    DatabaseSync.prototype.exec = exec
  }
  expect(begun.length).toBeLessThan(MANY / 10)
})

test('a search finds what was added since the last one, wherever it was added', async () => {
  const { count, grow } = await openMany()
  expect(await count('event1')).toBe(MANY)
  await grow(7)
  await grow(MANY - 1)
  await grow(0)
  expect(await count('heron')).toBe(3)
})

test('a search finds what another process has added to an old conversation', async () => {
  const { count } = await openMany()
  expect(await count('event1')).toBe(MANY)
  const other = await openStore(`sqlite:${file}`)
  await other.append('c3', 5, [write('heron')])
  await other.close()
  expect(await count('heron')).toBe(1)
})
