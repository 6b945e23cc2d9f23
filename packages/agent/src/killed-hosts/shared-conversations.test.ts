import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runHosts } from './run-hosts.support.ts'

// `tools/soak-hosts.mjs` does the same with more hosts, on PostgreSQL, and cuts their connections.
test('hosts that share conversations play no turn twice and lose none, while they are killed and stopped', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'toolblocks-hosts-'))
  onTestFinished(async () => await rm(folder, { recursive: true }))
  const load = { hosts: 3, turns: 15, conversations: 4, kills: 5, everyMs: 300, folder }
  expect(await runHosts(`sqlite:${join(folder, 'c.db')}`, load)).toMatchObject({
    turns: 45,
    twice: 0,
    lost: 0,
    repeated: 0,
    wrong: 0,
    left: 0,
  })
})
