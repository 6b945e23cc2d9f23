import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillDisk } from '../../packages/conversation-store/src/full-disks/fill-disk.support.ts'

const ROUNDS = 20

/**
 * Fills small disks in memory with events and with bytes. Checks that the errors report it, that everything acknowledged exists, and that the store
 * continues when there is space.
 */
export async function fillDisks() {
  const counts = { disks: ROUNDS, acknowledged: 0, lost: 0, unclear: 0, stuck: 0 }
  for (let round = 0; round < ROUNDS; round++) {
    const folder = mkdtempSync(join(tmpdir(), 'toolblocks-disk-'))
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder], { stdio: 'ignore' })
    } catch {
      rmSync(folder, { recursive: true })
      return { counts: 'skipped: a disk in memory cannot be mounted', bad: 0 }
    }
    try {
      await fillOne(folder, round, counts)
    } finally {
      execFileSync('umount', [folder])
      rmSync(folder, { recursive: true })
    }
  }
  return { counts, bad: counts.lost + counts.unclear + counts.stuck }
}

async function fillOne(folder, round, counts) {
  const filled = await fillDisk(folder, 600_000 + 1000 * round)
  counts.acknowledged += filled.acknowledged
  if (filled.readable !== filled.acknowledged || !filled.isWhole) counts.lost += 1
  if (!filled.isContinued || filled.problems > 0) counts.stuck += 1
  for (const error of filled.errors) {
    if (/^failed: .* full/.test(error)) continue
    counts.unclear += 1
    console.log(error)
  }
}
