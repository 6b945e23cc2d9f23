import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findPostgres, startPostgres } from '../rows/postgres/postgres-server.support.ts'
import { type HistoryCounts, runClients } from './run-clients.support.ts'

const bin = findPostgres()

const LOAD = { processes: 3, rounds: 4, steps: 12, seed: 26 }

function expectRight(counts: HistoryCounts): void {
  const { histories, calls } = counts
  expect(calls).toBeGreaterThan(100)
  expect(counts).toEqual({
    histories,
    calls,
    impossible: 0,
    undecided: 0,
    returned: 0,
    unfollowed: 0,
    failed: 0,
  })
}

test('concurrent calls of several processes on a SQLite file have the results of one serial order, and no scrubbed value returns', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolblocks-histories-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  expectRight(await runClients(`sqlite:${join(folder, 'c.db')}`, LOAD))
})

// Without the programs of PostgreSQL there is no server for this test.
test.skipIf(bin === undefined)(
  'concurrent calls of several processes on PostgreSQL have the results of one serial order, and no scrubbed value returns',
  async () => {
    const server = await startPostgres(bin ?? '')
    onTestFinished(() => server.stop())
    expectRight(await runClients(server.url('postgres'), LOAD))
  },
)
