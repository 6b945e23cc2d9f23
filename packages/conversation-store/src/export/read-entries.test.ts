import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../open-store.ts'
import { isLostEvent, type StoredEntry, readEntries } from './read-entries.ts'

const COUNT = 450

/** Returns what is read and what is lost after a change of the file. */
async function readAfter(sql: string): Promise<{ read: number; lost: readonly number[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'toolblocks-read-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'c.db')
  const store = await openStore(`sqlite:${file}`)
  onTestFinished(() => store.close())
  const events = Array.from({ length: COUNT }, (_, turn) => ({ type: 'turn_start', turn }) as const)
  await store.append('c', 0, events)
  const database = new DatabaseSync(file)
  database.exec(sql)
  database.close()
  const kept: StoredEntry[] = []
  for await (const each of readEntries(store, 'c')) kept.push(each)
  return {
    read: kept.filter((each) => !isLostEvent(each)).length,
    lost: kept.filter(isLostEvent).map(({ seq }) => seq),
  }
}

test.for([
  ['nothing', 'SELECT 1', []],
  ['a changed event', "UPDATE events SET at = 'x' WHERE seq = 250", [250]],
  ['the first and the last', "UPDATE events SET at = 'x' WHERE seq IN (1, 450)", [1, 450]],
  // The event after a missing one cannot be proven to follow it.
  ['a missing event', 'DELETE FROM events WHERE seq = 200', [200, 201]],
  ['a missing end', 'DELETE FROM events WHERE seq > 447', [448, 449, 450]],
] as const)('around %s every other event is read', async ([, sql, lost]) => {
  expect(await readAfter(sql)).toEqual({ read: COUNT - lost.length, lost })
})

test('if the end of a conversation has changed, nothing can be proven', async () => {
  const reading = readAfter('UPDATE conversations SET seq = 400')
  await expect(reading).rejects.toMatchObject({ code: 'damaged' })
})
