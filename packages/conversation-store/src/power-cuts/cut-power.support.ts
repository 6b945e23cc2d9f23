import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { openStore } from '../open-store.ts'
import { countBatch, countEvents, getBatch, STORE_PATH } from './batches.support.ts'
import { type CrashState, cutEverywhere, VARIANTS } from './crash-states.support.ts'
import { createRandom } from './create-random.support.ts'
import type { Operation, RecordedDurability } from './recording.support.ts'

/** Totals of the states that power cuts left. */
export interface CutCounts {
  states: number
  /** States of a power cut after which an acknowledged event or write of a document is missing. */
  lost: number
  /** States with an incomplete append, a wrong event or document, or a problem that `verify` reports. */
  wrong: number
  /** States that cannot be opened or continued, with the error of the first. */
  refused: number
  problem?: string
}

/** How power cuts are chosen. */
export interface Cuts {
  durability: RecordedDurability
  /** The part of all states that are rebuilt, from 0 to 1. States at the moment of an acknowledgement are always rebuilt. */
  part: number
  /** The same seed gives the same states. */
  seed: number
}

/** Rebuilds states of a disk after power cuts, and opens the store in each. */
export async function cutPower(
  folder: string,
  operations: readonly Operation[],
  { durability, part, seed }: Cuts,
): Promise<CutCounts> {
  const counts: CutCounts = { states: 0, lost: 0, wrong: 0, refused: 0 }
  const random = createRandom(seed)
  await cutEverywhere(operations, async (cut, rebuild) => {
    for (const variant of VARIANTS) {
      const isAcknowledged = operations[cut]?.kind === 'acknowledge' && variant.kept === 'none'
      if (!isAcknowledged && random() >= part) continue
      const made = mkdtempSync(join(folder, 'cut-'))
      const state = rebuild(variant, random)
      counts.states += 1
      try {
        const result = await checkState(made, state, durability)
        if (result !== 'right') counts[result] += 1
      } catch (error) {
        counts.refused += 1
        counts.problem ??= `cut ${cut}, ${JSON.stringify(variant)}: ${String(error)}`
      }
      rmSync(made, { recursive: true })
    }
  })
  return counts
}

/** Opens a store after a power cut, reads it, and continues it. */
async function checkState(
  folder: string,
  { folders, files, index, acknowledged }: CrashState,
  durability: RecordedDurability,
): Promise<'right' | 'lost' | 'wrong'> {
  for (const path of folders) mkdirSync(join(folder, path), { recursive: true })
  for (const [path, bytes] of files) writeFileSync(join(folder, path), bytes)
  if (index && files.has(STORE_PATH))
    writeFileSync(
      join(folder, `${STORE_PATH}-shm`),
      Buffer.concat([index, Buffer.alloc(32_768 - index.length)]),
    )
  const store = await openStore(`sqlite:${join(folder, STORE_PATH)}`, {
    durability: durability === 'normal' ? 'normal' : 'full',
  })
  try {
    const { events } = await store.read('c', { limit: Infinity })
    const counted = (await store.documents.read('count', 'batches'))?.version ?? 0
    const isLost = events.length < acknowledged || counted < findBatches(acknowledged)
    if (isLost && durability !== 'normal') return 'lost'
    if ((await store.verify('c')).length > 0) return 'wrong'
    const batches = findBatches(events.length)
    const expected = Array.from({ length: batches }, (_, batch) => getBatch(batch)).flat()
    const isRight = isDeepStrictEqual(
      events.map(({ event }) => event),
      expected,
    )
    // The append that was running may be complete, and no later one can exist.
    if (!isRight || events.length > countEvents(findBatches(acknowledged) + 1)) return 'wrong'
    // Each append is counted before the next one begins.
    if (counted !== batches && counted !== batches - 1) return 'wrong'
    if (!(await countBatch(store, counted)).ok) return 'wrong'
    const more = await store.append('c', events.length, getBatch(batches))
    return more.ok && (await store.verify('c')).length === 0 ? 'right' : 'wrong'
  } finally {
    await store.close()
  }
}

/** Returns the number of appends that contain so many events; of an incomplete one, the number before it. */
function findBatches(events: number): number {
  let batches = 0
  while (countEvents(batches + 1) <= events) batches += 1
  return batches
}
