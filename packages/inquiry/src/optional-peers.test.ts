import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** What this package brings; the optional peers are not there. */
const BROUGHT = ['@toolblocks/protocol', '@toolblocks/schema-check', 'fast-wrap-ansi']

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'inquiry-'))
  cpSync(import.meta.dirname, join(folder, 'src'), { recursive: true })
  for (const name of BROUGHT) {
    const link = join(folder, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(import.meta.dirname, '../node_modules', name), link, 'dir')
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Loads an entry in a process of its own: its names, or what it failed with. */
function load(entry: string): unknown {
  const script = `
    const load = import('./src/${entry}').then(
      (names) => ({ names: Object.keys(names) }),
      ({ code, message, cause }) => ({ code, message, cause: cause?.code }),
    )
    console.log(JSON.stringify(await load))
  `
  const given = ['--input-type=module', '--eval', script]
  return JSON.parse(execFileSync(process.execPath, given, { cwd: folder, encoding: 'utf8' }))
}

test.for<[string, string]>([
  ['index.ts', 'runInquiry'],
  ['model.ts', 'createModelAnswers'],
])('without the optional peers %s loads', ([entry, name]) => {
  expect(load(entry)).toEqual({ names: expect.arrayContaining([name]) })
})

test.for<[string, string, string]>([
  ['terminal.ts', '@toolblocks/inquiry/terminal', '@clack/prompts'],
  ['editor.ts', '@toolblocks/inquiry/editor', 'jsonc-parser'],
])('without its optional peer %s says what to install', ([entry, name, peer]) => {
  expect(load(entry)).toEqual({
    code: 'ERR_MODULE_NOT_FOUND',
    message: `${name} needs ${peer}, an optional peer: npm install ${peer}`,
    cause: 'ERR_MODULE_NOT_FOUND',
  })
})
