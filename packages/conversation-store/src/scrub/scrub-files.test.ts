import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { leak, SECRET, TRACES } from '../compliance/scrub.support.ts'
import { openStore } from '../open-store.ts'

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolblocks-scrub-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Returns the traces of the value in the files of a store. Words of the index are in lower case. */
function tracesIn(folder: string, hashes: readonly string[]): readonly string[] {
  const traces = [...TRACES, ...hashes]
  const files = readdirSync(folder).map((name) =>
    readFileSync(join(folder, name)).toString('latin1'),
  )
  return traces.filter((trace) => files.some((text) => text.includes(trace)))
}

test('no bytes of a scrubbed value are left in the files: pages, free pages, log and index', async () => {
  const folder = makeFolder()
  const store = await openStore(`sqlite:${join(folder, 'c.db')}`)
  const hashes = await leak(store, 'c')
  await leak(store, 'gone')
  await store.search({ text: 'hunter2' })
  await store.delete('gone')
  const written = JSON.stringify(SECRET).slice(1, -1)
  expect(tracesIn(folder, hashes)).toEqual(expect.arrayContaining([written, 'hunter2', ...hashes]))
  await store.scrub({ secret: SECRET })
  expect(tracesIn(folder, hashes)).toEqual([])
  await store.search({ text: 'nothing' })
  await store.close()
  expect(tracesIn(folder, hashes)).toEqual([])
})

test('a scrubbed event that changes afterwards is damaged, and one that was damaged before stays damaged', async () => {
  const folder = makeFolder()
  const file = join(folder, 'c.db')
  const store = await openStore(`sqlite:${file}`)
  await leak(store, 'c')
  const database = new DatabaseSync(file)
  database.exec("UPDATE events SET at = '2026-01-01T00:00:00.001Z' WHERE seq = 2")
  await store.scrub({ secret: SECRET })
  expect((await store.verify('c')).map(({ path }) => path)).toEqual(['/2'])
  database.exec("UPDATE events SET scrubbed_at = '2026-01-01T00:00:00.001Z' WHERE seq = 3")
  database.exec('UPDATE events SET scrubbed_at = NULL WHERE seq = 4')
  database.close()
  const damaged = (await store.verify('c')).map(({ path }) => path)
  expect([...new Set(damaged)]).toEqual(['/2', '/3', '/4'])
  await store.close()
})
