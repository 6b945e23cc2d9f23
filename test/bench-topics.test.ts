import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test, vi } from 'vitest'

vi.setConfig({ testTimeout: 120_000 })

const bench = resolve(import.meta.dirname, '../tools/bench')
/** They start many processes, each for seconds. `pnpm bench:check` runs them weekly. */
const SLOW = ['command', 'gateway', 'pages']
const topics = readdirSync(join(bench, 'topics'))
  .map((file) => file.replace(/\.mjs$/, ''))
  .filter((topic) => !SLOW.includes(topic))

test.for(topics)('the topic %s of the benchmarks runs, and has rows', async (topic) => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(bench, 'run-topic.mjs'),
    topic,
    'once',
  ])
  const rows: { name: string }[] = JSON.parse(stdout)
  // One round says nothing about a ratio.
  expect(rows.filter(({ name }) => name !== '').length).toBeGreaterThan(0)
})
