import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '../../packages/conversation-store/src/index.ts'

const ROUNDS = 20

/**
 * Fills a small disk in memory. Checks that the error reports it, that all acknowledged events exist, and that the store continues when there is
 * space.
 */
export async function fillDisk() {
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
  const filler = join(folder, 'filler')
  writeFileSync(filler, Buffer.alloc(600_000 + 1000 * round))
  const store = await openStore(`sqlite:${join(folder, 'c.db')}`)
  const text = crypto.getRandomValues(Buffer.alloc(700 + 137 * round)).toString('hex')
  const event = { type: 'user_message', content: [{ type: 'text', text }] }
  const { seq, message } = await appendUntilFull(store, event)
  counts.acknowledged += seq
  if (!/^failed: .* full/.test(message)) {
    counts.unclear += 1
    console.log(message)
  }
  const { events } = await store.read('c', { limit: Infinity })
  if (events.length !== seq) counts.lost += 1
  rmSync(filler)
  const more = await store.append('c', seq, [event]).catch(() => ({ ok: false }))
  if (!more.ok || (await store.verify('c')).length > 0) counts.stuck += 1
  await store.close()
}

async function appendUntilFull(store, event) {
  let seq = 0
  for (;;) {
    try {
      const appended = await store.append('c', seq, [event])
      seq = appended.seq
    } catch (error) {
      return { seq, message: `${error.code}: ${error.message}` }
    }
  }
}
