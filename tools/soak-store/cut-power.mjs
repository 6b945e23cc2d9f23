import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cutPower } from '../../packages/conversation-store/src/power-cuts/cut-power.support.ts'
import {
  findRecordingProblem,
  recordWriter,
} from '../../packages/conversation-store/src/power-cuts/recording.support.ts'

const MEMORY = '/dev/shm'
const APPENDS = 100
/** The part of all states that is rebuilt, about 2,900. */
const PART = 0.12

/** Records a writer and rebuilds states that power cuts can leave. Checks that the store opens, is whole, and continues. */
export async function cutRecorded(durability) {
  const problem = findRecordingProblem()
  if (problem !== undefined) return { counts: `skipped: ${problem}`, bad: 0 }
  const folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'toolblocks-power-'))
  try {
    const operations = recordWriter(folder, { durability, appends: APPENDS })
    const seed = Math.floor(Math.random() * 2 ** 31)
    const counts = await cutPower(folder, operations, { durability, part: PART, seed })
    return { counts: { seed, ...counts }, bad: counts.lost + counts.wrong + counts.refused }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
