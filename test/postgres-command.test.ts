import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import {
  findPostgres,
  startPostgres,
} from '../packages/conversation-store/src/rows/postgres/postgres-server.support.ts'

const bin = findPostgres()
const main = resolve(import.meta.dirname, '../apps/reference-host/src/main.ts')
const run = promisify(execFile)

// Without the programs of PostgreSQL there is no server to test with.
test.skipIf(bin === undefined)('the command records calls in a PostgreSQL database', async () => {
  const server = await startPostgres(bin ?? '')
  onTestFinished(() => server.stop())
  const folder = mkdtempSync(join(tmpdir(), 'toolblocks-command-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(
    join(folder, 'toolblocks.toml'),
    `[tools.greet]
source = "local"
command = ["printf", "hello"]
parameters = {}
[store]
url = "${server.url('postgres')}"
`,
  )
  const toolblocks = async (...args: string[]): Promise<string> =>
    (
      await run(process.execPath, [main, ...args], {
        cwd: folder,
        env: { ...process.env, TOOLBLOCKS_TRUST: '1' },
      })
    ).stdout
  expect(await toolblocks('call', 'greet')).toContain('hello')
  const hits: unknown = JSON.parse(
    await toolblocks('conversations', 'search', 'hello', '--output', 'json'),
  )
  expect(JSON.stringify(hits)).toContain('"type":"tool_result"')
})
