import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const bench = resolve(import.meta.dirname, '../tools/bench')
const topics = readdirSync(join(bench, 'topics')).map((file) => file.replace(/\.mjs$/, ''))

test.for(topics)(
  'the topic %s of the benchmarks measures what it names',
  async (topic) => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      join(bench, 'run-topic.mjs'),
      topic,
      'once',
    ])
    const rows: { name: string; ratio: number }[] = JSON.parse(stdout)
    expect(rows.length).toBeGreaterThan(0)
    for (const { name, ratio } of rows) expect([name, Number.isFinite(ratio)]).toEqual([name, true])
  },
  120_000,
)
