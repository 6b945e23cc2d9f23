import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { expect, inject, test } from 'vitest'

const LOAD = fileURLToPath(new URL('../../tools/load-service.mjs', import.meta.url))

test.for(['http', 'own'])(
  'promise several clients: 20 clients of each official SDK that call at the same time lose no call and get their own answers (%s)',
  async (way) => {
    const { stdout, stderr, exitCode } = await execa(
      process.execPath,
      [LOAD, '--sessions=20', '--calls=5', `--way=${way}`, `--command=${inject('command')}`],
      { reject: false },
    )
    expect([exitCode, stderr]).toEqual([0, ''])
    // For each of both versions: the sessions, the calls and a time. Between these would be calls that were lost, wrong or refused.
    expect(stdout.match(/\| 20 \| 100 \| [\d.]+ ms \|/g)).toHaveLength(2)
  },
)
