import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type FlippedFile, effectOfFlip, randomFrom, writeStore } from './flip-bytes.suite.ts'

test('bytes that flip in a file of a store are never read as something else, nor missed, in silence', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'toolblocks-store-'))
  const written = await writeStore(folder)
  const random = randomFrom(7)
  const files: readonly FlippedFile[] = ['closed db', 'db', 'wal', 'shm']
  const counts = { right: 0, said: 0, wrong: 0, missing: 0, 'wrong list': 0, 'other error': 0 }
  for (let run = 0; run < 100; run++)
    counts[await effectOfFlip(written, files[run % files.length] ?? 'db', random)] += 1
  expect(counts).toMatchObject({ wrong: 0, missing: 0, 'other error': 0 })
  expect(counts.said).toBeGreaterThan(20)
  expect(counts.right).toBeGreaterThan(10)
  await rm(folder, { recursive: true })
  // Every run opens a copy, and a disk may be busy.
}, 120_000)
