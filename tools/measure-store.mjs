// Measures a conversation of a million events: the newest page, and the memory of reading all events: node tools/measure-store.mjs [events]
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '../packages/conversation-store/src/index.ts'

const count = Number(process.argv[2] ?? 1_000_000)
const BATCH = 1000
const mebibytes = (bytes) => `${Math.round(bytes / 1024 / 1024)} MiB`
const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`

async function write(store) {
  const begin = performance.now()
  for (let seq = 0; seq < count; seq += BATCH)
    await store.append(
      'c',
      seq,
      Array.from({ length: BATCH }, (_, index) => ({
        type: 'user_message',
        content: [{ type: 'text', text: `message ${seq + index} `.repeat(5) }],
      })),
    )
  console.log(`${count} events written in ${seconds(begin)}`)
}

async function readNewest(store) {
  const times = []
  for (let run = 0; run < 101; run++) {
    const begin = performance.now()
    await store.read('c', { before: Infinity, limit: 50 })
    times.push(performance.now() - begin)
  }
  const [median, slowest] = [times.toSorted((a, b) => a - b)[50], Math.max(...times)]
  console.log(`newest page of 50: median ${median.toFixed(2)} ms, slowest ${slowest.toFixed(2)} ms`)
}

async function readAll(store) {
  const begin = performance.now()
  const before = process.memoryUsage.rss()
  let [read, most] = [0, 0]
  for (;;) {
    const { events, more } = await store.read('c', { after: read })
    read += events.length
    most = Math.max(most, process.memoryUsage.rss())
    if (!more) break
  }
  console.log(
    `all ${read} read in pages in ${seconds(begin)}, at most ${mebibytes(most)} resident, ${mebibytes(before)} of it before`,
  )
}

async function withStore(file, ...works) {
  const store = await openStore(`sqlite:${file}`, { durability: 'normal' })
  for (const work of works) await work(store)
  await store.close()
}

const [, self, , file, work] = process.argv
if (file !== undefined)
  await withStore(file, ...(work === 'write' ? [write] : [readNewest, readAll]))
else {
  const folder = mkdtempSync(join(tmpdir(), 'toolblocks-measure-'))
  const made = join(folder, 'c.db')
  // Each runs in a separate process, from sources that Node has compiled before, as in a published package.
  const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled') }
  const run = (...args) =>
    spawnSync(process.execPath, [self, String(count), made, ...args], { stdio: 'inherit', env })
  try {
    run('write')
    console.log(`the file has ${mebibytes(statSync(made).size)}`)
    run('read')
  } finally {
    rmSync(folder, { recursive: true })
  }
}
