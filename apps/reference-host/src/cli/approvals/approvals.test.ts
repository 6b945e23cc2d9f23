import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { toolblocks, withoutTrust } from '../toolblocks.support.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolblocks-allow-'))
afterAll(() => rmSync(folder, { recursive: true }))
writeFileSync(
  join(folder, 'toolblocks.toml'),
  '[tools.hello]\nsource = "local"\ncommand = ["echo"]\nparameters = { path = { type = "string" } }\n',
)

test('a rule that allows calls without a question is added, listed and revoked', async () => {
  expect(await toolblocks(folder, 'approvals', 'allow', 'hello(')).toMatchObject({ code: 2 })
  const stray = await toolblocks(folder, 'approvals', 'allow', 'helo')
  expect(stray.code).toBe(2)
  expect(stray.stderr).toContain('no tool "helo"')
  const allowed = await toolblocks(folder, 'approvals', 'allow', 'hello(path in docs)')
  expect(allowed.stdout).toMatch(
    /^Calls of hello\(path in docs\) run without asking now in .*\.\n$/,
  )
  const { stdout } = await toolblocks(folder, 'approvals', '--output', 'json')
  const [id, ...more] = [...stdout.matchAll(/"id": "(\w+)"/g)].map(
    ([, approvalId]) => approvalId ?? '',
  )
  expect(more).toEqual([])
  const revoked = await toolblocks(folder, 'approvals', 'revoke', id ?? '')
  expect(revoked.code).toBe(0)
  expect(revoked.stdout).toMatch(
    new RegExp(
      `^Revoked "allow hello\\(path in docs\\)" \\(${id}\\)\\. It no longer decides about calls in .*\\.\n$`,
    ),
  )
  expect((await toolblocks(folder, 'approvals')).stdout).toContain('There are no rules')
})

test('a rule of a file is listed with its own line, and a person who revokes it reads where it is removed', async () => {
  const other = mkdtempSync(join(tmpdir(), 'toolblocks-lines-'))
  onTestFinished(() => rmSync(other, { recursive: true }))
  const file = join(other, 'toolblocks.toml')
  const tool = 'source = "local"\ncommand = ["echo"]\nparameters = {}\n'
  writeFileSync(
    file,
    `[approvals]\nrules = [\n  "deny hello",\n  # later\n  "ask never(a=b)",\n]\n[tools.hello]\n${tool}[tools.never]\nrun = "deny"\n${tool}`,
  )
  const { stdout } = await toolblocks(other, 'approvals')
  expect(stdout).toContain(`configuration: ${file}:3\n`)
  expect(stdout).toContain(`configuration: ${file}:5\n`)
  const json = await toolblocks(other, 'approvals', '--output', 'json')
  expect(JSON.parse(json.stdout)).toMatchObject({
    rules: [
      { file, line: 3 },
      { file, line: 5 },
    ],
  })
  for (const [typed, rule, line] of [
    ['hello', 'deny hello', 3],
    ['never', 'ask never(a=b)', 5],
    ['ask never(a=b)', 'ask never(a=b)', 5],
  ] as const) {
    const { code, stderr } = await toolblocks(other, 'approvals', 'revoke', typed)
    const message = `error: the rule "${rule}" is in ${file}:${line} and has no id: remove it there`
    expect([code, stderr]).toEqual([2, `${message}\n`])
  }
  const unknown = await toolblocks(other, 'approvals', 'revoke', 'other')
  expect(unknown.stderr).toContain('no approval "other"')
  const stored = await toolblocks(other, 'approvals', 'ask', 'hello')
  const [, id = ''] = /\((\w+)\)/.exec(stored.stdout) ?? []
  const named = await toolblocks(other, 'approvals', 'revoke', 'hello')
  expect(named.stderr).toContain(
    `no approval has the id "hello"; expected ${id} ("ask hello" in ${other})`,
  )
  expect((await toolblocks(other, 'approvals', 'revoke', id)).code).toBe(0)

  const run = `${file}:12: tools.never.run`
  const tested = await toolblocks(other, 'approvals', 'test', 'never')
  expect(tested.stdout).toBe(`deny: "run" of the tool, which is final; it is in ${run}\n`)
  const tests = await toolblocks(other, 'approvals', 'test', 'never', '--output', 'json')
  expect(JSON.parse(tests.stdout)).toEqual({ run: 'deny', place: run })
  const called = await toolblocks(other, 'call', 'never')
  expect(called.stderr).toContain(`Its "run" is in ${run}.`)
})

test('a rule about an argument that its tool does not have is not stored', async () => {
  const stray = await toolblocks(folder, 'approvals', 'deny', 'hello(pth=1)')
  expect(stray.code).toBe(2)
  expect(stray.stderr).toContain('has no argument "pth"')
  expect(stray.stderr).toContain('path')
  expect((await toolblocks(folder, 'approvals')).stdout).toContain('There are no rules')
})

test('a list without the rules of a file that cannot be read says so, and is no success', async () => {
  const broken = mkdtempSync(join(tmpdir(), 'toolblocks-broken-'))
  writeFileSync(join(broken, 'toolblocks.toml'), '[approvals]\nrules = ["denny hello"]\n')
  const { code, stdout, stderr } = await toolblocks(broken, 'approvals')
  rmSync(broken, { recursive: true })
  expect(code).toBe(2)
  expect(stdout).not.toContain('There are no rules')
  expect(stderr).toContain('toolblocks.toml')
  expect(stderr).toContain('expected allow, ask or deny before the calls, got "denny hello"')
})

test.for<[readonly string[], string]>([
  [
    ['approvals', 'tset'],
    'unknown command "tset"; did you mean "test"? There are list, allow, ask',
  ],
  [['approvals', 'lst'], 'unknown command "lst"; did you mean "list"?'],
  [['questions', 'anser', 'x'], 'unknown command "anser"; did you mean "answer"?'],
  [['serve', 'tokns'], 'Did you mean "serve tokens"?'],
  [['serve', 'logns'], 'Did you mean "serve logins"?'],
  [['serve', 'tokens', 'ad', 'ann'], 'unknown command "ad"; did you mean "add"?'],
  [['serve', 'tokens', 'add', 'ann', '--expires', '2830-02-30'], 'expected a day that exists'],
  [['approvals', 'test', 'helo'], 'no tool "helo" can be called; did you mean "hello"?'],
  [['approvals', 'test', 'hlelo(path=a)'], 'did you mean "hello"?'],
  [
    ['approvals', 'test', 'hello(pth=a)'],
    'error: the tool hello has no argument "pth"; did you mean "path"? Expected path\n',
  ],
])(
  'what was typed wrongly in %j is named, with what was probably meant',
  async ([args, message]) => {
    const { code, stderr } = await toolblocks(folder, ...args)
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  },
)

test('a rule that allows what another one denies says that the other one still decides', async () => {
  const denied = await toolblocks(folder, 'approvals', 'deny', 'hello(path^=a)')
  const [, id = ''] = /\((\w+)\)\.$/m.exec(denied.stdout) ?? []
  const { stdout, stderr } = await toolblocks(folder, 'approvals', 'allow', 'hello(path^=a)')
  expect(stdout).toContain('run without asking now')
  expect(stderr).toContain(`"deny hello(path^=a)" (${id}) still decides about calls`)
  expect(stderr).toContain(`approvals revoke ${id}`)
})

test('of a tool that the user has not agreed to, only this is reported, as for a rule', async () => {
  for (const command of [
    ['test', 'hello(path=a)'],
    ['allow', 'hello'],
  ]) {
    const { code, stdout, stderr } = await withoutTrust(folder, 'approvals', ...command)
    expect([code, stdout]).toEqual([3, ''])
    expect(stderr).toMatch(/^error: hello: not available, because you have not agreed to it: .*\n$/)
  }
})

test('a rule that has no effect says how it gets one, and which rule decides, once', async () => {
  const [own, file] = makeFolder(
    `[approvals]\nrules = ["ask nuke"]\n[tools.nuke]\n${NO_PARAMETERS}`,
  )
  await toolblocks(own, 'approvals', 'ask', 'nuke')
  const { stderr } = await toolblocks(own, 'approvals', 'allow', 'nuke')
  expect(stderr).toBe(
    `warning: calls of nuke are still asked about, by the rule nuke (configuration); it is in ${file}:2: approvals.rules.0. For yours to decide, write "allow nuke" before it in that list\n`,
  )
  const denied = await toolblocks(own, 'approvals', 'deny', 'nuke')
  const [, id = ''] = /\((\w+)\)\.$/m.exec(denied.stdout) ?? []
  const allowed = await toolblocks(own, 'approvals', 'allow', 'nuke')
  expect(allowed.stderr).toContain(`"deny nuke" (${id}) still decides about calls`)
})

const NO_PARAMETERS = 'source = "local"\ncommand = ["echo"]\nparameters = {}\n'

/** Makes a folder with a configuration and returns the folder and the path of the file. */
function makeFolder(configuration: string): readonly [folder: string, file: string] {
  const made = mkdtempSync(join(tmpdir(), 'toolblocks-earlier-'))
  onTestFinished(() => rmSync(made, { recursive: true }))
  const file = join(made, 'toolblocks.toml')
  writeFileSync(file, configuration)
  return [made, file]
}

test.for<[string, string, string, string]>([
  [
    'allow',
    `[tools.nuke]\nrun = "deny"\n${NO_PARAMETERS}`,
    'are still denied, by "run" of the tool, which is final',
    ':2: tools.nuke.run',
  ],
  [
    'ask',
    `[tools.nuke]\nrun = "deny"\n${NO_PARAMETERS}`,
    'are still denied, by "run" of the tool, which is final',
    ':2: tools.nuke.run',
  ],
  [
    'deny',
    `[tools.nuke]\nrun = "skip"\n${NO_PARAMETERS}`,
    'are still skipped, by "run" of the tool, which is final',
    ':2: tools.nuke.run',
  ],
  [
    'allow',
    `[approvals]\nrules = ["deny nu*"]\n[tools.nuke]\n${NO_PARAMETERS}`,
    'are still denied, by the rule nu* (configuration)',
    ':2',
  ],
  [
    'allow',
    `[approvals]\nrules = ["ask nuke"]\n[tools.nuke]\n${NO_PARAMETERS}`,
    'are still asked about, by the rule nuke (configuration)',
    ':2',
  ],
  [
    'ask',
    `[approvals]\nrules = ["allow nuke"]\n[tools.nuke]\n${NO_PARAMETERS}`,
    'still run without asking, by the rule nuke (configuration)',
    ':2',
  ],
])(
  'a rule with the effect %s is stored, and what decides before it is named with its place: %s',
  async ([effect, configuration, decider, deciderPlace]) => {
    const [own, file] = makeFolder(configuration)
    const { code, stdout, stderr } = await toolblocks(own, 'approvals', effect, 'nuke')
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^The rule "\w+ nuke" \(\w{8}\) is stored for .*, but something else decides first\.\n$/,
    )
    const expected = `warning: calls of nuke ${decider}; it is in ${file}${deciderPlace}`
    expect(stderr.startsWith(expected), stderr).toBe(true)
  },
)

test('a stored rule that decides is followed by no warning, also if a rule with the same effect decides before it', async () => {
  const [own] = makeFolder(
    `[approvals]\nrules = ["deny nuke", "allow hello"]\n[tools.nuke]\n${NO_PARAMETERS}[tools.hello]\n${NO_PARAMETERS}`,
  )
  const denied = await toolblocks(own, 'approvals', 'deny', 'nuke')
  expect([denied.stdout, denied.stderr]).toEqual([expect.stringContaining('are denied now'), ''])
  const outweighed = await toolblocks(own, 'approvals', 'deny', 'hello')
  const says = [outweighed.stdout, outweighed.stderr]
  expect(says).toEqual([expect.stringContaining('are denied now'), ''])
})

test('of a rule for several tools, or for all calls of a tool, what is decided otherwise is named', async () => {
  const [own, file] = makeFolder(
    `[approvals]\nrules = ["deny git(command^=git push)"]\n[tools.git]\nsource = "local"\ncommand = ["echo"]\nparameters = { command = { type = "string" } }\n[tools.gone]\nrun = "deny"\n${NO_PARAMETERS}`,
  )
  const { stdout, stderr } = await toolblocks(own, 'approvals', 'allow', 'g*')
  expect(stdout).toContain('Calls of g* run without asking now')
  expect(stderr.split('\n').slice(0, 2)).toEqual([
    `warning: calls of gone are still denied, by "run" of the tool, which is final; it is in ${file}:8: tools.gone.run`,
    `warning: some of these calls are still denied, by the rule git(command^=git push) (configuration); it is in ${file}:2: approvals.rules.0`,
  ])
  const narrow = await toolblocks(own, 'approvals', 'allow', 'git(command^=git push origin)')
  expect(narrow.stderr).toContain('by the rule git(command^=git push) (configuration)')
  const other = await toolblocks(own, 'approvals', 'allow', 'git(command^=git log)')
  expect([other.stdout, other.stderr]).toEqual([expect.stringContaining('run without asking'), ''])
})

test('a rule that allows only one path where a folder is probably meant is reported, and says why it does not fit a call', async () => {
  const parameters = 'parameters = { path = { type = "string" } }\n'
  const tool = `source = "local"\ncommand = ["echo"]\n${parameters}`
  const [own, file] = makeFolder(
    `[approvals]\nrules = ["deny other(path^=tools)"]\n[tools.count]\n${tool}[tools.other]\n${tool}`,
  )
  const allowed = await toolblocks(own, 'approvals', 'allow', 'count(path^=tools)')
  const [, id = ''] = /\((\w+)\)\.$/m.exec(allowed.stdout) ?? []
  expect(allowed.stderr).toBe(
    `warning: the stored rule ${id}: "allow count(path^=tools)": allow with ^= fits only complete words, so it fits the path "tools" and nothing in it; for what is in this folder write "path in tools"\n`,
  )
  const call = 'count(path=tools/a.sh)'
  const tested = await toolblocks(own, 'approvals', 'test', call)
  const reason =
    'after "tools" there is "/", and allow with ^= fits only complete words; for what is in this folder write "path in tools"'
  expect(tested.stdout).toBe(
    `ask: no rule fits, so "run" of the tool decides\nthe stored rule ${id}: "allow count(path^=tools)" does not fit: ${reason}\n`,
  )
  const json = await toolblocks(own, 'approvals', 'test', call, '--output', 'json')
  expect(JSON.parse(json.stdout)).toEqual({
    run: 'ask',
    near: [{ rule: 'allow count(path^=tools)', source: 'stored', id, reason }],
  })
  const fitting = await toolblocks(own, 'approvals', 'test', 'count(path=tools)')
  expect(fitting.stdout.split('\n')).toHaveLength(2)

  const typed = [
    '--allow-tool',
    'other(path^=tools)',
    '--arguments',
    '{"path":"tools/a.sh"}',
  ] as const
  const denied = await toolblocks(own, 'call', 'other', ...typed)
  expect(denied.code).toBe(3)
  expect(denied.stderr.split('\n').filter((line) => line.includes('--allow-tool'))).toEqual([
    'warning: --allow-tool "other(path^=tools)": allow with ^= fits only complete words, so it fits the path "tools" and nothing in it; for what is in this folder write "path in tools"',
    `--allow-tool "other(path^=tools)" does not fit: ${reason}.`,
  ])
  expect(denied.stderr).toContain(`The rule is in ${file}:2`)
})
