// Checks that stores lose no events: killed writers, power cuts, concurrent writers and histories, flipped bytes, full disks. PostgreSQL is included if it is installed.
// node tools/soak-store.mjs [kills] [events of each of 8 writers] [flips]
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { killWriters } from '../packages/conversation-store/src/killed-writers/kill-writers.support.ts'
import {
  findPostgres,
  startPostgres,
} from '../packages/conversation-store/src/rows/postgres/postgres-server.support.ts'
import { cutRecorded } from './soak-store/cut-power.mjs'
import { fillDisks } from './soak-store/fill-disk.mjs'
import { flipRows } from './soak-store/flip-rows.mjs'
import { raceWriters } from './soak-store/race-writers.mjs'
import { runHistories } from './soak-store/run-histories.mjs'

const [kills = 200, events = 10_000, flips = 1000] = process.argv.slice(2).map(Number)
const folder = mkdtempSync(join(tmpdir(), 'toolblocks-soak-'))
const bin = findPostgres()
const server = bin === undefined ? undefined : await startPostgres(bin)
let bad = 0
/** The maximum number of acknowledged events before a writer is killed. */
const MAX_COUNT = 400
/** Rounds of concurrent calls. Each scrub rewrites the tables of PostgreSQL, so its rounds take longer. */
const ROUNDS = { SQLite: 400, PostgreSQL: 100 }

async function soak(what, work) {
  const begin = performance.now()
  const { counts, bad: failures } = await work()
  bad += failures
  const seconds = ((performance.now() - begin) / 1000).toFixed(0)
  console.log(`${what} (${seconds} s): ${JSON.stringify(counts)}`)
}

const database = server?.url('postgres')
const engines = [['SQLite', `sqlite:${join(folder, 'c.db')}`]]
if (database) engines.push(['PostgreSQL', database])
else console.log('PostgreSQL is not installed: skipped')

try {
  // This runs first, so that a changed row belongs to the conversation that is read.
  if (database) await soak('PostgreSQL, rows flipped', () => flipRows(database, flips))
  for (const [name, url] of engines) {
    await soak(`${name}, writers killed`, async () => {
      const counts = await killWriters(url, {
        kills,
        cache: join(folder, 'compiled'),
        mostEvents: MAX_COUNT,
      })
      return { counts, bad: counts.lost + counts.half + counts.unacknowledged }
    })
    await soak(`${name}, concurrent writers`, () => raceWriters(url, events))
    await soak(`${name}, concurrent histories`, () => runHistories(url, ROUNDS[name]))
  }
  for (const durability of ['full', 'normal'])
    await soak(`SQLite, power cut at durability ${durability}`, () => cutRecorded(durability))
  await soak('SQLite, disks filled', fillDisks)
  const flipper = fileURLToPath(new URL('flip-store-bytes.mjs', import.meta.url))
  console.log('SQLite, bytes flipped:')
  bad += spawnSync(process.execPath, [flipper, String(flips / 5)], { stdio: 'inherit' }).status ?? 1
} finally {
  server?.stop()
  rmSync(folder, { recursive: true })
}
if (bad > 0) process.exitCode = 1
