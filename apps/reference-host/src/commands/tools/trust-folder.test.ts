import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { visit } from '../../toolblocks.suite.ts'
import {
  type DescribedWorkspace,
  makeDescribedWorkspace,
  tableOf,
} from './described-workspace.suite.ts'

const PLAIN =
  '[tools.plain]\nsource = "local"\ncommand = ["sh", "plain.sh"]\nsummary = "Plain."\nparameters = {}\n'

function makeWorkspace(): DescribedWorkspace {
  const workspace = makeDescribedWorkspace(`${tableOf('a')}${tableOf('b')}${PLAIN}`)
  workspace.tool('a.sh', [{ name: 'a', summary: 'First.' }])
  workspace.tool('b.sh', [{ name: 'b' }])
  return workspace
}

const asked = ({ asks }: DescribedWorkspace): number => asks('a.sh') + asks('b.sh')
const ASKS = /would start[^]*sh a\.sh[^]*sh b\.sh[^]*Do you trust this folder[^]*No/

test('without a terminal a folder starts nothing; what needs no start is there', async () => {
  const workspace = makeWorkspace()
  const { code, stdout, stderr } = await workspace.run('tools')
  expect([code, asked(workspace)]).toEqual([3, 0])
  expect(stdout).toBe('plain  run: ask\n  Plain.\n')
  expect(stderr).toMatch(
    /^error: a, b: left out, because [^\n]*"toolblocks trust"[^\n]*--trust[^\n]*TOOLBLOCKS_TRUST=1[^\n]*\n$/,
  )
})

test('--trust and TOOLBLOCKS_TRUST=1 are a yes for one run', async () => {
  const workspace = makeWorkspace()
  expect(await workspace.run('tools', '--trust')).toMatchObject({ code: 0 })
  process.env['TOOLBLOCKS_TRUST'] = '1'
  const told = await workspace.run('tools')
  delete process.env['TOOLBLOCKS_TRUST']
  expect(told).toMatchObject({ code: 0, stdout: expect.stringContaining('First.') })
  expect(await workspace.run('tools')).toMatchObject({ code: 3 })
})

test('to name a tool is the yes to start it, and no other', async () => {
  const workspace = makeWorkspace()
  expect(await workspace.run('call', 'a')).toMatchObject({ code: 0 })
  expect([workspace.asks('a.sh'), workspace.asks('b.sh')]).toEqual([1, 0])
  expect(await workspace.run('tools')).toMatchObject({ code: 3 })
})

test('at a terminal the commands are shown and asked about once; another command is asked about anew, a comment is not', async () => {
  const workspace = makeWorkspace()
  const { code, written } = await visit(workspace.folder, ['tools'], [[ASKS, 'y']])
  expect(code).toBe(0)
  expect(stripVTControlCharacters(written)).toContain('First.')
  expect(await workspace.run('tools')).toMatchObject({ code: 0 })
  workspace.write('toolblocks.toml', `# mine\n${workspace.read('toolblocks.toml')}`)
  expect(await workspace.run('tools')).toMatchObject({ code: 0 })
  workspace.write('toolblocks.toml', `${workspace.read('toolblocks.toml')}${tableOf('c')}`)
  expect(await workspace.run('tools')).toMatchObject({ code: 3 })
})

test.for<[string, string, string[], number]>([
  ['No', 'n', ['tools'], 3],
  ['Ctrl-C', '\u0003', ['tools'], 130],
  ['No to trust', 'n', ['trust'], 3],
  ['Ctrl-C at trust', '\u0003', ['trust'], 130],
])('%s starts nothing', async ([, key, words, expected]) => {
  const workspace = makeWorkspace()
  const { code, written } = await visit(workspace.folder, words, [[ASKS, key]])
  expect([code, asked(workspace)]).toEqual([expected, 0])
  expect(written.includes('left out')).toBe(expected === 3 && words[0] === 'tools')
  expect(await workspace.run('tools')).toMatchObject({ code: 3 })
})

test('Ctrl-C while a program is asked ends the command, and the program', async () => {
  const { folder, write, read } = makeDescribedWorkspace(tableOf('slow'))
  write('slow.sh', 'echo $$ > pid; exec sleep 30')
  const { code, written } = await visit(
    folder,
    ['call', 'slow'],
    [[/asking sh slow\.sh/, '\u0003']],
  )
  expect(code).toBe(130)
  expect(written).not.toContain('error')
  // The shell may have ended before it wrote its number, or before the file was there.
  const pid = existsSync(join(folder, 'pid')) ? Number(read('pid')) : 0
  expect(pid > 0 && isAlive(pid)).toBe(false)
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('toolblocks trust asks, remembers, and starts nothing itself', async () => {
  const workspace = makeWorkspace()
  expect(await visit(workspace.folder, ['trust'], [[ASKS, 'y']])).toMatchObject({ code: 0 })
  expect(asked(workspace)).toBe(0)
  expect((await workspace.run('trust')).stdout).toBe(`${workspace.folder} is trusted already.\n`)
  expect(await workspace.run('tools')).toMatchObject({ code: 0 })
})

test('toolblocks trust without a terminal shows what would be started', async () => {
  const workspace = makeWorkspace()
  const { code, stderr } = await workspace.run('trust')
  expect(code).toBe(5)
  expect(stderr).toContain('  sh a.sh\n  sh b.sh\n')
  const plain = makeDescribedWorkspace(PLAIN)
  expect((await plain.run('trust')).stdout).toBe(`${plain.folder} starts nothing unasked.\n`)
})

test('a command that holds escapes is shown as what it is', async () => {
  const hostile = '[tools.x]\nsource = "local"\ncommand = ["sh", "-c", "\\u001b[2Jrm -rf ~\\nok"]\n'
  const { run } = makeDescribedWorkspace(hostile)
  const { stderr } = await run('trust')
  // oxlint-disable-next-line no-control-regex -- the escape character is what must not be there
  expect(stderr).not.toMatch(/\u001b/)
  expect(stderr).toContain('rm -rf ~')
})
