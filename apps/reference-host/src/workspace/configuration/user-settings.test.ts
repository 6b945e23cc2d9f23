import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { describeProblem } from './configuration.ts'
import { readUserSettings } from './user-settings.ts'

function write(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolblocks-settings-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'config.toml'), text)
  return join(folder, 'config.toml')
}

async function problems(text: string): Promise<string> {
  const read = await readUserSettings(write(text))
  return read.ok
    ? ''
    : read.problems
        .map(describeProblem)
        .join('\n')
        .replaceAll(/\S*\/config/g, 'config')
}

test('a missing file sets nothing', async () => {
  expect(await readUserSettings('/not/there/config.toml')).toEqual({ ok: true, settings: {} })
})

test('a model and safe folders are read', async () => {
  const text = 'safe_folders = ["/srv/x"]\n[model]\nprovider = "anthropic"\nname = "m"\n'
  expect(await readUserSettings(write(text))).toEqual({
    ok: true,
    settings: { safe_folders: ['/srv/x'], model: { provider: 'anthropic', name: 'm' } },
  })
})

test.for<[string, string]>([
  ['safe_folders = ["x"]', 'config.toml:1: safe_folders.0: expected'],
  ['[model]\nprovider = "antropic"', 'did you mean "anthropic"?'],
  ['[tools.x]\nsource = "local"', 'config.toml:1: tools: is not a known key'],
  ['a = = 1', 'config.toml:1:5: expected a text in quotes, '],
])('%s is reported with its place', async ([text, expected]) => {
  expect(await problems(text)).toContain(expected)
})

test('an unreadable file is reported', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolblocks-settings-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'config.toml'))
  const read = await readUserSettings(join(folder, 'config.toml'))
  expect(read).toMatchObject({
    ok: false,
    problems: [{ message: expect.stringContaining('expected a file') }],
  })
})
