import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { createStore } from '../store/create-store.ts'
import { openStore } from '../open-store.ts'
import { MEMORY } from './sqlite/open-database.ts'
import { openSqliteRows } from './sqlite/sqlite-rows.ts'
import { PIECE_BYTES } from './keep-bytes.ts'

test('holds at most one piece of a stream in memory, however long the stream is', async () => {
  const rows = await openSqliteRows(MEMORY)
  let [pulled, put, ahead, largest] = [0, 0, 0, 0]
  const blobs: typeof rows.blobs = {
    ...rows.blobs,
    put: async (kept, time) => {
      for (const { bytes, encoding } of kept) {
        largest = Math.max(largest, bytes.length)
        if (encoding !== 'pieces') put += bytes.length
      }
      await rows.blobs.put(kept, time)
    },
  }
  const chunk = Uint8Array.from({ length: 64 * 1024 }, (_, index) => (index * index * 31) >> 3)
  async function* stream(): AsyncGenerator<Uint8Array> {
    for (let count = 0; count < 320; count++) {
      // Bytes that cannot be compressed are stored uncompressed.
      crypto.getRandomValues(chunk)
      pulled += chunk.length
      yield chunk
      ahead = Math.max(ahead, pulled - put)
    }
  }
  const ref = await createStore({ ...rows, blobs }).keepBytes(stream())
  expect(ref.bytes).toBe(20 * PIECE_BYTES)
  expect({ largest, put }).toEqual({ largest: PIECE_BYTES, put: 20 * PIECE_BYTES })
  expect(ahead).toBeLessThanOrEqual(PIECE_BYTES + chunk.length)
})

test('treats a changed piece as missing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolblocks-pieces-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'c.db')
  const store = await openStore(`sqlite:${file}`)
  const bytes = crypto.getRandomValues(new Uint8Array(60_000))
  const long = Buffer.concat(Array.from({ length: 40 }, () => bytes))
  const { sha256 } = await store.keepBytes(long)
  expect(Buffer.from((await store.readBytes(sha256)) ?? []).equals(long)).toBe(true)
  const database = new DatabaseSync(file)
  database.exec('DELETE FROM blobs WHERE rowid = (SELECT min(rowid) FROM blobs)')
  database.close()
  expect(await store.readBytes(sha256)).toBeUndefined()
  await store.close()
})
