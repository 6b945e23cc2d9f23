import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { workspace } from '../../workspace/servers/workspace.suite.ts'
import { withoutTrust } from '../toolblocks.suite.ts'

/** A folder with a script, beside a configuration that would do harm. */
function folderWith(script: string): string {
  const folder = workspace({
    'toolblocks.toml':
      '[store]\nurl = "sqlite:kept.db"\n[tools.t]\nsource = "local"\ncommand = "touch harm"\n',
  })
  writeFileSync(join(folder, 'script.sh'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return folder
}

const DESCRIBED = (...names: readonly string[]): string => {
  const tools = names.map((name) => ({ name, parameters: { who: { type: 'string' } } }))
  return `case "$(cat)" in *'"action":"schema"'*) echo '${JSON.stringify({ tools })}';; *) echo "hello from $0";; esac`
}

test('a program is called with the words that were typed, and the configuration of its folder is not read', async () => {
  const folder = folderWith('echo "got: $*"')
  const called = await withoutTrust(folder, 'call', './script.sh', 'a b', 'c')
  expect(called).toMatchObject({ code: 0, stdout: 'got: a b c\n', stderr: '' })
  expect([existsSync(join(folder, 'harm')), existsSync(join(folder, 'kept.db'))]).toEqual([
    false,
    false,
  ])
})

test('a program that describes itself takes its arguments by name', async () => {
  const folder = folderWith(DESCRIBED('greet'))
  const called = await withoutTrust(folder, 'call', './script.sh', '--arg', 'who=Ada')
  expect(called).toMatchObject({ code: 0, stdout: expect.stringContaining('hello from') })
  const missing = await withoutTrust(folder, 'call', './script.sh')
  expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('"who" is missing') })
})

test('of several tools of a program one is named', async () => {
  const folder = folderWith(DESCRIBED('one', 'other'))
  const unnamed = await withoutTrust(folder, 'call', './script.sh', 'othr')
  expect(unnamed.code).toBe(2)
  expect(unnamed.stderr).toContain(
    'name one of them after it; did you mean "other"? It has one, other',
  )
  const called = await withoutTrust(folder, 'call', './script.sh', 'other', '--arg', 'who=Ada')
  expect(called.code).toBe(0)
})

test('a program that does not exist is told', async () => {
  const called = await withoutTrust(folderWith(''), 'call', './missing.sh')
  expect(called).toMatchObject({ code: 2, stderr: 'error: ./missing.sh: no such program\n' })
})
