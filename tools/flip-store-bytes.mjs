// Flips bytes in the files of a SQLite store and counts what a reader is told: node tools/flip-store-bytes.mjs [runs per file] [seed]
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  effectOfFlip,
  randomFrom,
  writeStore,
} from '../packages/conversation-store/src/rows/sqlite/flip-bytes.support.ts'

const runs = Number(process.argv[2] ?? 1000)
const seed = Number(process.argv[3] ?? 1)
const folder = await mkdtemp(join(tmpdir(), 'toolblocks-flips-'))
const written = await writeStore(folder)
let unreported = 0

for (const file of ['closed db', 'db', 'wal', 'wal without shm', 'shm']) {
  const counts = { right: 0, said: 0, wrong: 0, missing: 0, 'wrong list': 0, 'other error': 0 }
  const random = randomFrom(seed)
  for (let run = 0; run < runs; run++) counts[await effectOfFlip(written, file, random)] += 1
  // Without its index, a damaged last append cannot be distinguished from one that a power failure interrupted.
  const missing = file === 'wal without shm' ? 0 : counts.missing
  unreported += counts.wrong + missing + counts['other error']
  console.log(file.padEnd(16), JSON.stringify(counts))
}

await rm(folder, { recursive: true })
if (unreported > 0) process.exitCode = 1
