import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')

function run(program: string, args: readonly string[], cwd: string) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' })
  return { status, stdout, stderr }
}

function makeFolder(files: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolblocks-pack-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

const PROGRAM = `import { formatResult } from '@toolblocks/formatter'
import { parseToolOutput } from '@toolblocks/parser'
const { result } = parseToolOutput('{"content": [{"type": "text", "text": "2 lines"}]}')
const text: unknown = formatResult(result)
console.log(JSON.stringify(text))
`

test(
  'pack-packages builds the named packages with those that they need, and a strict TypeScript project elsewhere installs and uses them',
  { timeout: 300_000 },
  () => {
    const packed = makeFolder({ 'toolblocks-old-0.0.1.tgz': '' })
    const names = ['parser', '@toolblocks/formatter']
    const made = run(
      process.execPath,
      ['scripts/pack-packages.mjs', ...names, '--to', packed],
      root,
    )
    expect(made).toMatchObject({ status: 0, stderr: '' })
    const [, command = ''] = /^ {2}(npm install .*)$/m.exec(made.stdout) ?? []
    expect(command).toContain('toolblocks-protocol-0.1.0.tgz')
    // What another project has installed stays.
    expect(readdirSync(packed)).toContain('toolblocks-old-0.0.1.tgz')
    expect(command).not.toContain('toolblocks-old')
    const project = makeFolder({
      'package.json': '{"type": "module", "private": true}',
      'main.ts': PROGRAM,
    })
    const installed = run(
      'npm',
      ['install', '--no-audit', '--no-fund', ...command.split(' ').slice(2)],
      project,
    )
    expect(installed.status, installed.stderr).toBe(0)
    const tsc = join(root, 'node_modules/.bin/tsc')
    const types = ['--strict', '--noEmit', '--module', 'nodenext', '--types', '', 'main.ts']
    expect(run(tsc, types, project).stdout.replaceAll(/^.*'console'.*\n/gm, '')).toBe('')
    const ran = run(process.execPath, ['main.ts'], project)
    expect([ran.status, ran.stdout]).toEqual([0, expect.stringContaining('2 lines')])
  },
)

test('pack-packages names the packages that there are if one does not exist', () => {
  const help = run(process.execPath, ['scripts/pack-packages.mjs', '--help'], root)
  expect([help.status, help.stderr]).toEqual([
    2,
    'error: expected names of packages, and perhaps --to FOLDER\n',
  ])
  const made = run(process.execPath, ['scripts/pack-packages.mjs', 'parsr'], root)
  expect([made.status, made.stderr]).toEqual([
    2,
    expect.stringMatching(/^error: no package parsr; there are .*parser/),
  ])
})
