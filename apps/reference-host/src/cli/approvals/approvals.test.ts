import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { toolblocks } from '../toolblocks.support.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolblocks-allow-'))
afterAll(() => rmSync(folder, { recursive: true }))
writeFileSync(
  join(folder, 'toolblocks.toml'),
  '[tools.hello]\nsource = "local"\ncommand = ["echo"]\nparameters = {}\n',
)

test('a rule that allows calls without a question is added, listed and revoked', async () => {
  expect(await toolblocks(folder, 'approvals', 'allow', 'hello(')).toMatchObject({ code: 2 })
  const stray = await toolblocks(folder, 'approvals', 'allow', 'helo')
  expect(stray.code).toBe(2)
  expect(stray.stderr).toContain('no tool "helo"')
  const allowed = await toolblocks(folder, 'approvals', 'allow', 'hello(path in docs)')
  expect(allowed.stdout).toMatch(
    /^Calls of hello\(path in docs\) now run without asking in .*\.\n$/,
  )
  const { stdout } = await toolblocks(folder, 'approvals', '--output', 'json')
  const [id, ...more] = [...stdout.matchAll(/"id": "(\w+)"/g)].map(
    ([, approvalId]) => approvalId ?? '',
  )
  expect(more).toEqual([])
  expect((await toolblocks(folder, 'approvals', 'revoke', id ?? '')).code).toBe(0)
  expect((await toolblocks(folder, 'approvals')).stdout).toContain('There are no rules')
})
