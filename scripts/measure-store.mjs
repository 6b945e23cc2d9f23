// Measures a conversation of a million events: the newest page, the memory of reading all of it. node scripts/measure-store.mjs [events]
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '../packages/conversation-store/src/index.ts'

const count = Number(process.argv[2] ?? 1_000_000)
const BATCH = 1000
const folder = mkdtempSync(join(tmpdir(), 'toolblocks-measure-'))
const file = join(folder, 'c.db')
const mebibytes = (bytes) => `${Math.round(bytes / 1024 / 1024)} MiB`
const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`

try {
  const store = await openStore(`sqlite:${file}`, { durability: 'normal' })
  let begin = performance.now()
  for (let seq = 0; seq < count; seq += BATCH)
    await store.append(
      'c',
      seq,
      Array.from({ length: BATCH }, (_, index) => ({
        type: 'user_message',
        content: [{ type: 'text', text: `message ${seq + index} `.repeat(5) }],
      })),
    )
  console.log(`${count} events written in ${seconds(begin)}, ${mebibytes(statSync(file).size)}`)
  const times = []
  for (let run = 0; run < 101; run++) {
    begin = performance.now()
    await store.read('c', { before: Infinity, limit: 50 })
    times.push(performance.now() - begin)
  }
  const [median, slowest] = [times.toSorted((a, b) => a - b)[50], Math.max(...times)]
  console.log(`newest page of 50: median ${median.toFixed(2)} ms, slowest ${slowest.toFixed(2)} ms`)
  begin = performance.now()
  let [read, most, after] = [0, 0, 0]
  for (;;) {
    const { events, more } = await store.read('c', { after })
    read += events.length
    after += events.length
    most = Math.max(most, process.memoryUsage.rss())
    if (!more) break
  }
  console.log(`all ${read} read in pages in ${seconds(begin)}, at most ${mebibytes(most)} resident`)
  await store.close()
} finally {
  rmSync(folder, { recursive: true })
}
