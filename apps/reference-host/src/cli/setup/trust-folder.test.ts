import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import {
  NO_TRUST,
  run as runWith,
  type Step,
  toolblocks,
  visit,
  withoutTrust,
} from '../toolblocks.support.ts'
import {
  type DescribedWorkspace,
  makeDescribedWorkspace,
  makeTable,
} from '../../workspace/tools/described-workspace.support.ts'

const PLAIN =
  '[tools.plain]\nsource = "local"\ncommand = ["sh", "plain.sh"]\nsummary = "Plain."\nparameters = {}\n'

function makeWorkspace(): DescribedWorkspace {
  const workspace = makeDescribedWorkspace(`${makeTable('a')}${makeTable('b')}${PLAIN}`)
  workspace.tool('a.sh', [{ name: 'a', summary: 'First.' }])
  workspace.tool('b.sh', [{ name: 'b' }])
  return workspace
}

const asked = ({ asks }: DescribedWorkspace): number => asks('a.sh') + asks('b.sh')
const ASKS = /wants to[^]*start programs[^]*sh a\.sh[^]*sh b\.sh[^]*Do you agree to this\?[^]*No/
const run = async ({ folder }: DescribedWorkspace, ...args: readonly string[]) =>
  await withoutTrust(folder, ...args)
const runAtTerminal = async (
  { folder }: DescribedWorkspace,
  args: readonly string[],
  steps: readonly Step[],
) => await visit(folder, args, steps, { environment: NO_TRUST })

test('without a terminal nothing of a folder has an effect, and the output names what waits and how to agree', async () => {
  const workspace = makeWorkspace()
  const { code, stdout, stderr } = await run(workspace, 'tools')
  expect([code, asked(workspace), stdout]).toEqual([3, 0, ''])
  expect(stderr).toMatch(
    /^error: a, b, plain: not available, because you have not agreed to it: [^\n]*"toolblocks trust"[^\n]*--trust[^\n]*TOOLBLOCKS_TRUST=1[^\n]*\n$/,
  )
})

test('--trust and TOOLBLOCKS_TRUST=1 agree to everything for one run', async () => {
  const workspace = makeWorkspace()
  expect(await run(workspace, 'tools', '--trust')).toMatchObject({ code: 0 })
  expect(await toolblocks(workspace.folder, 'tools')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('First.'),
  })
  expect(await run(workspace, 'tools')).toMatchObject({ code: 3 })
})

test.for(['--yes', '--trust'])(
  'an agreement is not stored without a person: "trust %s" is refused and names what to use',
  async (option) => {
    const workspace = makeWorkspace()
    const { code, stdout, stderr } = await run(workspace, 'trust', option)
    expect([code, stdout, stderr]).toEqual([
      2,
      '',
      `error: "toolblocks trust" has no ${option}, because it stores what a person has read and agreed to: run it in a terminal, or agree for one run of another command with --trust or TOOLBLOCKS_TRUST=1\n`,
    ])
    expect((await run(workspace, 'trust', '--help')).stdout).not.toContain('--yes')
    expect(await run(workspace, 'tools')).toMatchObject({ code: 3 })
  },
)

test('calling a tool by name agrees to its start, and to no other', async () => {
  const workspace = makeWorkspace()
  expect(await run(workspace, 'call', 'a')).toMatchObject({ code: 0 })
  expect([workspace.asks('a.sh'), workspace.asks('b.sh')]).toEqual([1, 0])
  expect(await run(workspace, 'tools')).toMatchObject({ code: 3 })
  expect(existsSync(join(workspace.folder, 'toolblocks.lock.json'))).toBe(false)
})

test('a call in a folder without agreement is not recorded, and the output reports this', async () => {
  const workspace = makeDescribedWorkspace(`${PLAIN}[store]\nurl = "sqlite:kept.db"\n`)
  workspace.write('plain.sh', 'echo done')
  const called = await run(workspace, 'call', 'plain')
  expect(called).toMatchObject({ code: 0, stdout: expect.stringContaining('done') })
  expect(called.stderr).toContain('nothing is recorded, because you have not agreed to the [store]')
  expect(existsSync(join(workspace.folder, 'kept.db'))).toBe(false)
  await run(workspace, 'call', 'plain', '--trust')
  expect(existsSync(join(workspace.folder, 'kept.db'))).toBe(true)
})

test('a folder without agreement does not answer the questions of a tool that a person names', async () => {
  const workspace = makeDescribedWorkspace(`${PLAIN}questions.sure.answer = true\n`)
  const question = { id: 'sure', text: 'Sure?', schema: { type: 'boolean' } }
  const output = JSON.stringify({ content: [{ type: 'question', question }] })
  workspace.write(
    'plain.sh',
    `case $(cat) in *'"sure":true'*) echo done ;; *) echo '${output}' ;; esac`,
  )
  const called = await run(workspace, 'call', 'plain')
  expect(called.code).toBe(5)
  expect(called.stderr).toContain(
    "the folder's answers to questions of plain do not count, because you have not agreed to them",
  )
  const agreed = await run(workspace, 'call', 'plain', '--trust')
  expect(agreed).toMatchObject({ code: 0, stdout: expect.stringContaining('done') })
  expect(agreed.stderr).not.toContain('do not count')
})

test('naming a tool to accept or allow it does not agree to its start', async () => {
  const workspace = makeWorkspace()
  expect(await run(workspace, 'tools', 'accept', 'a')).toMatchObject({ code: 3 })
  expect(await run(workspace, 'approvals', 'allow', 'a')).toMatchObject({ code: 3 })
  expect(asked(workspace)).toBe(0)
})

test('at a terminal a person is asked once, and later only about what is new', async () => {
  const workspace = makeWorkspace()
  const { code, written } = await runAtTerminal(workspace, ['tools'], [[ASKS, 'y\r']])
  expect(code).toBe(0)
  expect(stripVTControlCharacters(written)).toContain('First.')
  expect(await run(workspace, 'tools')).toMatchObject({ code: 0 })
  workspace.write('toolblocks.toml', `# mine\n${workspace.read('toolblocks.toml')}`)
  expect(await run(workspace, 'tools')).toMatchObject({ code: 0 })
  workspace.write('toolblocks.toml', `${workspace.read('toolblocks.toml')}${makeTable('c')}`)
  workspace.tool('c.sh', [{ name: 'c' }])
  const ran = await run(workspace, 'tools')
  expect(ran).toMatchObject({ code: 3, stdout: expect.stringContaining('First.') })
  expect(ran.stderr).toMatch(/^error: c: not available/m)
  const again = await runAtTerminal(workspace, ['tools'], [[/New in[^]*Do you agree[^]*No/, 'y\r']])
  expect(again.code).toBe(0)
  const question = stripVTControlCharacters(again.written).split('Do you agree')[0] ?? ''
  expect(question).toContain('sh c.sh')
  expect(question).not.toContain('sh a.sh')
})

test('another command of a tool, or a looser rule for it, needs a new agreement', async () => {
  const workspace = makeWorkspace()
  await runAtTerminal(workspace, ['trust'], [[ASKS, 'y\r']])
  const toml = workspace.read('toolblocks.toml')
  workspace.write('toolblocks.toml', toml.replace('sh a.sh', 'sh other.sh'))
  expect((await run(workspace, 'tools')).stderr).toMatch(/^error: a: not available/m)
  workspace.write('toolblocks.toml', `${toml}run = "unattended"\n`)
  expect((await run(workspace, 'tools')).stderr).toMatch(/^error: plain: not available/m)
  workspace.write('toolblocks.toml', `${toml}run = "deny"\n`)
  expect(await run(workspace, 'tools')).toMatchObject({ code: 0 })
})

test('if another PATH starts another program, the message names both programs, and a changed tool is only not agreed to', async () => {
  const workspace = makeWorkspace()
  await runAtTerminal(workspace, ['trust'], [[ASKS, 'y\r']])
  const other = join(workspace.folder, 'other')
  mkdirSync(other)
  workspace.write('other/sh', '#!/bin/sh\nexec /bin/sh "$@"\n')
  chmodSync(join(other, 'sh'), 0o755)
  const runThere = async (PATH: string) =>
    await runWith(workspace.folder, ['tools'], { ...process.env, ...NO_TRUST, PATH })
  const runElsewhere = async () => await runThere([other, process.env['PATH']].join(delimiter))
  const { code, stderr } = await runElsewhere()
  expect([code, stderr]).toEqual([
    3,
    expect.stringMatching(
      /^error: a, b, plain: not available, because you agreed to sh at (\S+\/sh), and here sh is \S+\/other\/sh: [^\n]*write "\1" in the command in place of "sh"/,
    ),
  ])
  expect((await runThere(workspace.folder)).stderr).toContain('and there is no sh in PATH here')
  const toml = workspace.read('toolblocks.toml')
  workspace.write('toolblocks.toml', toml.replace('sh a.sh', 'sh other.sh'))
  expect((await runElsewhere()).stderr).toMatch(/^error: a: not available, because you have not/m)
  expect(await run(workspace, 'trust', '--revoke')).toMatchObject({ code: 0 })
  expect((await runElsewhere()).stderr).not.toContain('you agreed to')
})

test.for<[string, string, string[], number]>([
  ['No', 'n\r', ['tools'], 3],
  ['Ctrl-C', '\u0003', ['tools'], 130],
  ['No to trust', 'n\r', ['trust'], 3],
  ['Ctrl-C at trust', '\u0003', ['trust'], 130],
])('%s does not count as agreement', async ([, key, args, expected]) => {
  const workspace = makeWorkspace()
  const { code, written } = await runAtTerminal(workspace, args, [[ASKS, key]])
  expect([code, asked(workspace)]).toEqual([expected, 0])
  expect(written.includes('not available')).toBe(expected === 3 && args[0] === 'tools')
  expect(await run(workspace, 'tools')).toMatchObject({ code: 3 })
})

test('Ctrl-C at the prompts of trust and --install says that nothing was agreed to, or written', async () => {
  const { folder, tool } = makeDescribedWorkspace(makeTable('count'))
  tool('count.sh', [])
  const own = { environment: { ...NO_TRUST, HOME: folder, USERPROFILE: folder } }
  const trust = await visit(folder, ['trust'], [[/Do you agree to this\?/, '\u0003']], own)
  expect([trust.code, trust.written]).toEqual([
    130,
    expect.stringContaining('Nothing was agreed to.'),
  ])
  const install = ['serve', 'sh count.sh', '--install', 'cursor']
  const written = await visit(folder, install, [[/\?/, '\u0003']], own)
  expect(written.written).toContain('Nothing was written.')
  expect(existsSync(join(folder, '.cursor'))).toBe(false)
})

test('Ctrl-C while a program is asked ends the command, and the program', async () => {
  const { folder, write, read } = makeDescribedWorkspace(makeTable('slow'))
  write('slow.sh', 'echo $$ > pid; exec sleep 30')
  const { code, written } = await visit(
    folder,
    ['call', 'slow'],
    [[/asking sh slow\.sh/, '\u0003']],
  )
  expect(code).toBe(130)
  expect(written).not.toContain('error')
  // The shell may have ended before it wrote its number, or before the file existed.
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

test('toolblocks trust asks, stores the answer and starts nothing; then it shows the agreements, and removes them on request', async () => {
  const workspace = makeWorkspace()
  expect(await runAtTerminal(workspace, ['trust'], [[ASKS, 'y\r']])).toMatchObject({ code: 0 })
  expect(asked(workspace)).toBe(0)
  const ran = await run(workspace, 'trust')
  expect(ran).toMatchObject({ code: 0, stderr: '' })
  expect(ran.stdout).toMatch(
    /^You have agreed that \S+ may\n {2}start programs\n {4}a: sh a\.sh \(/,
  )
  expect(await run(workspace, 'tools')).toMatchObject({ code: 0 })
  expect((await run(workspace, 'trust', '--revoke')).stdout).toContain('Removed your agreement')
  expect((await run(workspace, 'trust', '--revoke')).stdout).toContain('There was no agreement')
  expect(await run(workspace, 'tools')).toMatchObject({ code: 3 })
})

test('toolblocks trust without a terminal shows what it would ask about', async () => {
  const workspace = makeWorkspace()
  const { code, stderr } = await run(workspace, 'trust')
  expect(code).toBe(5)
  expect(stderr).toMatch(
    /start programs\n {4}a: sh a\.sh \(\S+\/sh\), also to ask for its description\n/,
  )
  const json = await run(workspace, 'trust', '--output', 'json')
  expect(json.code).toBe(5)
  expect(JSON.parse(json.stdout)).toContainEqual({
    part: 'tool plain',
    effect: 'starts',
    text: expect.stringContaining('plain: sh plain.sh'),
    agreed: false,
  })
})

test('a command with escape sequences is shown escaped', async () => {
  const hostile = '[tools.x]\nsource = "local"\ncommand = ["sh", "-c", "\\u001b[2Jrm -rf ~\\nok"]\n'
  const { stderr } = await run(makeDescribedWorkspace(hostile), 'trust')
  // oxlint-disable-next-line no-control-regex -- the escape character is what must not be there
  expect(stderr).not.toMatch(/\u001b/)
  expect(stderr).toContain('rm -rf ~')
})

test('init, new and mcp add agree to what they write', async () => {
  const workspace = makeDescribedWorkspace('')
  await run(workspace, 'new', 'greet', '--language', 'bash')
  await run(workspace, 'mcp', 'add', 'nowhere', 'no-such-program')
  const { stdout, stderr, code } = await run(workspace, 'tools')
  expect(stdout).toContain('greet')
  expect([code, stderr]).toEqual([1, expect.stringContaining('no-such-program')])
  expect(stderr).not.toContain('agreed')
})

test('the model of the user needs no agreement in a project without one; the model of a project does', async () => {
  const scripted = '[model]\nprovider = "scripted"\n'
  const workspace = makeDescribedWorkspace('')
  const none = await run(workspace, 'run', 'hello')
  expect(none.stderr).toContain('no [model] is configured')
  workspace.write('toolblocks.toml', scripted)
  const own = await run(workspace, 'run', 'hello')
  expect(own).toMatchObject({ code: 0, stdout: expect.stringContaining('I am a script') })
  workspace.write(
    'toolblocks.toml',
    '[model]\nprovider = "openai-compatible"\nname = "m"\nbase_url = "http://127.0.0.1:9/v1"\n',
  )
  const other = await run(workspace, 'run', 'hello')
  expect(other.code).toBe(3)
  expect(other.stderr).toMatch(
    /toolblocks\.toml:1: model: the model is not used, because you have not agreed to it/,
  )
})

test('only its owner can read the file of agreements, and it contains only hashes', async () => {
  const workspace = makeWorkspace()
  await runAtTerminal(workspace, ['trust'], [[ASKS, 'y\r']])
  const kept = readFileSync(
    join(process.env['XDG_CONFIG_HOME'] ?? '', 'toolblocks/trust.json'),
    'utf8',
  )
  expect(kept).not.toContain('a.sh')
})
