import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openStore } from '../../packages/conversation-store/src/index.ts'
import { WRITER } from '../../packages/conversation-store/src/killed-writers/kill-writers.support.ts'
import { readTurns } from '../../packages/conversation-store/src/killed-writers/read-turns.support.ts'

const WRITERS = 8
const APART = 1_000_000

/**
 * Lets eight processes write, two to each of four conversations. Checks that no event is lost or duplicated, and that the order of each writer is
 * kept.
 */
export async function raceWriters(url, count) {
  const begin = performance.now()
  const ids = Array.from({ length: WRITERS }, (_, writer) => `race-${writer % 4}`)
  await Promise.all(
    ids.map(async (id, writer) => {
      const args = [WRITER, url, id, String(count), String(writer * APART)]
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
      const [code] = await once(child, 'close')
      if (code !== 0) throw new Error(`writer ${writer} ended with ${code}`)
    }),
  )
  const seconds = (performance.now() - begin) / 1000
  const store = await openStore(url)
  const counts = { writers: WRITERS, events: 0, 'wrong order, lost or duplicated': 0 }
  for (const id of new Set(ids)) {
    const turns = await readTurns(store, id)
    counts.events += turns.length
    for (const [writer, own] of ids.entries()) {
      if (own !== id) continue
      const written = turns.filter((turn) => Math.floor(turn / APART) === writer)
      const isRight =
        written.length === count && written.every((turn, index) => turn === writer * APART + index)
      if (!isRight) counts['wrong order, lost or duplicated'] += 1
    }
  }
  await store.close()
  const bad = counts['wrong order, lost or duplicated'] + Math.abs(counts.events - WRITERS * count)
  return { counts: { ...counts, perSecond: Math.round(counts.events / seconds) }, bad }
}
