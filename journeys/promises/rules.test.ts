import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { NO_TRUST, startToolblocks, toolblocks, visit, withoutTrust } from '../stage/command.ts'
import { makeFolder } from '../stage/folder.ts'
import { connectClient, connectOverHttp, serveOverHttp } from '../stage/mcp-client.ts'
import { createServerProgram, SERVER_FILE } from '../stage/mcp-server.ts'
import { hasResults, startProvider } from '../stage/provider.ts'
import { readStoredRows, STORE } from '../stage/rows.ts'

/** A tool that says what it did. */
const makeTool = (name: string, run = 'ask', text = `${name} did`): string => `
[tools.${name}]
source = "local"
command = ["echo", "${text} {{tool.arguments.path}}"]
run = "${run}"
parameters = { path = { type = "string", required = true } }
`

const makeRules = (...rules: readonly string[]): string =>
  `[approvals]\nrules = ${JSON.stringify(rules)}\n`

/** Writes the settings of the user, until the test ends. */
function writeSettings(text: string): void {
  const folder = join(process.env['XDG_CONFIG_HOME'] ?? '', 'toolblocks')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'config.toml'), text)
  onTestFinished(() => rmSync(join(folder, 'config.toml'), { force: true }))
}

/** A model that makes these calls, and then ends. */
const makeModel = async (...calls: readonly (readonly [string, object])[]) =>
  await startProvider((messages) => (hasResults(messages) ? { text: 'Done.' } : { calls }))

test('promise approvals: rules of the command line allow, ask and deny calls of a model by their arguments, and the record names them', async () => {
  const model = await makeModel(
    ['erase', { path: 'old' }],
    ['erase', { path: 'new' }],
    ['look', { path: 'old' }],
  )
  const tools = makeTool('erase') + makeTool('look', 'unattended')
  const folder = makeFolder({ 'toolblocks.toml': model.settings + tools })
  const typed = ['--deny-tool', 'erase(path=old)', '--allow-tool', 'erase', '--ask-tool', 'lo*']
  const ran = await toolblocks(folder, 'run', 'Go.', '--no-input', ...typed)
  expect(ran.code).toBe(0)
  const [denied, allowed, asked] = model.results()
  expect(denied).toContain('The rule "erase(path=old)" (command line) denies this call of "erase"')
  expect(allowed).toBe('erase did new\n')
  expect(asked).toContain('no person can be asked')
  const read = await toolblocks(folder, 'conversations', 'show', 'latest')
  expect(read.stdout).toContain('by the rule erase(path=old) (command line)')
  expect(read.stdout).toContain('by the rule erase (command line)')
  const wrong = await toolblocks(folder, 'run', 'Go.', '--deny-tool', 'erase(')
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('--deny-tool: expected')])
})

test('promise approvals: a rule whose tool or argument does not exist is reported, with its place and the name that was meant', async () => {
  const model = await makeModel(['erase', { path: 'old' }])
  const rules = makeRules('deny erase(pth=old)')
  const folder = makeFolder({
    'toolblocks.toml': `${model.settings}${rules}${makeTool('erase', 'unattended')}`,
  })
  writeSettings(makeRules('deny hub__delete'))
  const { stderr } = await toolblocks(folder, 'run', 'Go.', '--no-input', '--allow-tool', 'earse')
  expect(stderr).toContain('--allow-tool "earse": no tool has this name')
  expect(stderr).toMatch(
    /toolblocks\.toml:\d+: approvals\.rules\.0: "deny erase\(pth=old\)": the tool erase has no argument "pth", so the rule denies nothing; did you mean "path"/,
  )
  expect(stderr).toMatch(
    /config\.toml:\d+: approvals\.rules\.0: "deny hub__delete": no tool has this name.*A folder chooses the names of its servers/,
  )
  writeSettings('')
})

test('promise approvals: a rule of the settings holds in every folder and for a typed call; the command line decides before it', async () => {
  const folder = makeFolder({ 'toolblocks.toml': makeTool('erase', 'unattended') })
  writeSettings(makeRules('deny erase(path in keep)'))
  const call = async (path: string, ...more: readonly string[]) =>
    await toolblocks(folder, 'call', 'erase', '--arg', `path=${path}`, ...more)
  expect((await call('other/a')).stdout).toBe('erase did other/a\n')
  const denied = await call('keep/../keep/a')
  expect(denied.code).toBe(3)
  expect(denied.stdout + denied.stderr).toContain('erase(path in keep)" (settings)')
  expect((await call('keep/a', '--allow-tool', 'erase')).stdout).toBe('erase did keep/a\n')
  expect((await call('other/a', '--deny-tool', 'e*')).code).toBe(3)
  const misspelt = await call('other/a', '--deny-tool', 'erse', '--allow-tool', 'erase(pth=a)')
  expect(misspelt.stderr).toMatch(/--deny-tool "erse": no tool has this name, so the rule denies/)
  expect(misspelt.stderr).toContain('--allow-tool "erase(pth=a)": ')
  const tested = await toolblocks(folder, 'approvals', 'test', 'erase(path=keep/a)')
  expect(tested.stdout).toMatch(
    /^deny: the rule erase\(path in keep\) \(settings\); it is in .*config\.toml:2: approvals\.rules\.0\n$/,
  )
  const listed = await toolblocks(folder, 'approvals', '--output', 'json')
  expect(JSON.parse(listed.stdout).rules).toMatchObject([
    { effect: 'deny', rule: 'erase(path in keep)', source: 'settings' },
  ])
  writeSettings('[approvals]\nrules = ["deny erase("]\n')
  const broken = await call('other/a')
  expect(broken.code).toBe(2)
  expect(broken.stderr).toMatch(/config\.toml:2: approvals\.rules\.0: expected NAME/)
})

test('promise nothing without a yes: rules of a folder deny at once, and allow only after a yes, for the programs that were shown', async () => {
  const model = await makeModel(['erase', { path: 'a' }], ['look', { path: 'secret' }])
  const folder = makeFolder({})
  const write = (rules: string, text = 'erase did'): void =>
    writeFileSync(
      join(folder, 'toolblocks.toml'),
      model.settings + rules + makeTool('erase', 'ask', text) + makeTool('look', 'unattended'),
    )
  const agree = async (): Promise<string> =>
    (await visit(folder, ['trust'], [[/Do you agree[^]*No/, 'y\r']], { environment: NO_TRUST }))
      .written
  const ask = async (): Promise<{ results: readonly string[]; stderr: string }> => {
    const { stderr } = await withoutTrust(folder, 'run', 'Go.', '--no-input')
    return { results: model.results(), stderr }
  }
  write('')
  await agree()
  expect((await ask()).results).toEqual([
    expect.stringContaining('no person can be asked'),
    'look did secret\n',
  ])

  write(makeRules('deny look(path=secret)', 'allow erase*', 'allow look'))
  const waiting = await ask()
  expect(waiting.results).toEqual([
    expect.stringContaining('no person can be asked'),
    expect.stringContaining('The rule "look(path=secret)" (configuration) denies'),
  ])
  expect(waiting.stderr).toContain('the rule allow erase* has no effect')
  const listed = await toolblocks(folder, 'approvals', '--output', 'json')
  expect(JSON.parse(listed.stdout).rules.slice(0, 3)).toMatchObject([
    { rule: 'look(path=secret)', source: 'configuration' },
    { rule: 'erase*', waits: true },
    { rule: 'look', waits: true },
  ])

  expect(await agree()).toContain('calls of erase* run without asking you')
  expect((await ask()).results[0]).toBe('erase did a\n')
  write(makeRules('deny look(path=secret)', 'allow erase*', 'allow look'), 'burnt')
  await withoutTrust(folder, 'run', 'Go.', '--no-input')
  expect((await toolblocks(folder, 'approvals', '--output', 'json')).stdout).toContain('"waits"')
})

test('promise approvals: a prompt names the rule that asks about a tool that would run, and offers no rule that could not decide before it', async () => {
  const model = await makeModel(['look', { path: 'a' }])
  const tools = makeRules('ask look') + makeTool('look', 'unattended')
  const folder = makeFolder({ 'toolblocks.toml': model.settings + tools })
  const { written } = await visit(
    folder,
    ['run', 'Go.'],
    [
      [
        /the rule look[^]*\(configuration\)[^]*asks[^]*Run look\?[^]*Edit the arguments/,
        '\u001b[B\r',
      ],
    ],
  )
  expect(written).not.toContain('never ask again')
  expect(model.results()).toEqual(['look did a\n'])
})

test('promise approvals: a rule never loosens a tool with run = "deny"', async () => {
  const model = await makeModel(['erase', { path: 'a' }])
  const rules = makeRules('allow erase')
  const folder = makeFolder({
    'toolblocks.toml': model.settings + rules + makeTool('erase', 'deny'),
  })
  await toolblocks(folder, 'run', 'Go.', '--no-input', '--allow-tool', 'erase')
  expect(model.results()[0]).toContain('The configuration denies the tool "erase"')
})

test('promise serve: two clients at once are each decided about by the rules of the command line, and each record has its own', async () => {
  const tools = makeTool('erase') + makeTool('look', 'unattended')
  const folder = makeFolder({ 'toolblocks.toml': STORE + tools })
  const rules = ['--deny-tool', 'erase(path=ann)', '--allow-tool', 'erase(path^=b)']
  const served = await serveOverHttp(folder, [...rules, '--allow-tool', 'erase(path=bob)'])
  const clients = await Promise.all([connectOverHttp(served), connectOverHttp(served)])
  const [ann, bob] = await Promise.all(
    clients.map(async (client, index) =>
      JSON.stringify(
        await client.callTool({ name: 'erase', arguments: { path: ['ann', 'bob'][index] } }),
      ),
    ),
  )
  expect(ann).toContain('(command line) denies')
  expect(bob).toContain('erase did bob')
  const decided = readStoredRows(folder).flatMap(({ type, conversation, ...row }) =>
    type === 'approval'
      ? [{ conversation, by: row['by'], decision: row['decision'], rule: row['rule'] }]
      : [],
  )
  expect(decided.map(({ conversation: _id, ...row }) => row)).toEqual(
    expect.arrayContaining([
      { by: 'rule', decision: 'denied', rule: 'erase(path=ann)' },
      { by: 'rule', decision: 'allowed', rule: 'erase(path=bob)' },
    ]),
  )
  expect(new Set(decided.map(({ conversation }) => conversation)).size).toBe(2)

  const look = async (): Promise<string> =>
    JSON.stringify(await clients[0]?.callTool({ name: 'look', arguments: { path: 'x' } }))
  expect(await look()).toContain('look did x')
  expect((await toolblocks(folder, 'approvals', 'deny', 'look(path=x)')).stdout).toContain(
    'Calls of look(path=x) are denied now in',
  )
  expect(await look()).toContain('(stored) denies')
  expect((await toolblocks(folder, 'approvals', 'allow', 'lo*')).code).toBe(0)
  expect(await look()).toContain('look did x')
})

test('promise approvals: the output of a service names the rule that denied a call and how it is ended, and a client does not get this', async () => {
  const token = 'a'.repeat(64)
  for (const [table, option] of [
    ['', ['--token-env', 'ANN']],
    ['[serve.clients.ann]\ntoken_env = "ANN"\n', []],
  ] as const) {
    const folder = makeFolder({ 'toolblocks.toml': makeTool('look', 'unattended') + table })
    const denying = await toolblocks(folder, 'approvals', 'deny', 'look(path=x)')
    const [, id = ''] = /\((\w+)\)\.$/m.exec(denying.stdout) ?? []
    const serving = ['serve', '--http', '0', '--log', 'json', ...option]
    const running = startToolblocks(folder, serving, { ANN: token })
    const [, url = ''] = await running.said(/at (http:\S+)/)
    const headers = { authorization: `Bearer ${token}` }
    const client = await connectOverHttp({ url: new URL(url), headers })
    const result = await client.callTool({ name: 'look', arguments: { path: 'x' } })
    expect(JSON.stringify(result)).toContain('(stored) denies')
    expect(JSON.stringify(result)).not.toContain('revoke')
    expect(JSON.stringify(result)).not.toContain(id)
    await running.said(
      new RegExp(
        `^warning: a call of look was denied by the rule look\\(path=x\\) \\(stored\\); ".* approvals revoke ${id}" removes it$`,
        'm',
      ),
    )
  }
})

const SAY = "return { content: [{ type: 'text', text: name + ' did ' + JSON.stringify(given) }] }"
const NOTE = { type: 'object', properties: { id: { type: 'string' } } }
const [LIST, ERASE, LATER] = ['list_notes', 'erase_note', 'list_secrets'].map((name) => ({
  name,
  inputSchema: NOTE,
}))

/** A folder with an MCP server, and the words that serve it. */
function makeServer() {
  const folder = makeFolder({ [SERVER_FILE]: createServerProgram([LIST ?? {}, ERASE ?? {}], SAY) })
  return { folder, server: ['--server', `notes=${process.execPath} ${SERVER_FILE}`] }
}

test('promise gateway: stored rules hold for servers that are typed: one that allows not for a tool that the server adds, one that denies for all', async () => {
  const { folder, server } = makeServer()
  const call = async (name: string, ...more: readonly string[]): Promise<string> => {
    const policy = ['--policy', `${name}=${name === 'erase_note' ? 'unattended' : 'ask'}`]
    const args = ['serve', '--no-park', ...server, ...policy, ...more]
    const client = await connectClient(folder, args)
    const result = await client.callTool({ name, arguments: { id: '7' } })
    await client.close()
    return JSON.stringify(result)
  }
  expect(await call('list_notes')).toContain('approvals allow')
  const allowed = await toolblocks(folder, 'approvals', 'allow', 'list_*', ...server)
  expect(allowed.stdout).toMatch(
    /^Calls of list_\* run without asking now in servers notes \(\w{8}\)\.$/m,
  )
  expect(await call('list_notes')).toContain('list_notes did')
  expect((await toolblocks(folder, 'approvals', 'deny', 'erase_note(id=7)', ...server)).code).toBe(
    0,
  )
  expect(await call('erase_note')).toContain('(stored) denies')
  const tested = await toolblocks(folder, 'approvals', 'test', 'erase_note(id=7)', ...server)
  expect(tested.stdout).toMatch(
    /^deny: the rule erase_note\(id=7\) \(stored\); ".+ approvals revoke \w+" removes it\n$/,
  )
  for (const which of ['test', 'deny']) {
    const without = await toolblocks(folder, 'approvals', which, 'erase_note(id=7)')
    expect([without.code, without.stderr]).toEqual([2, expect.stringContaining('add --server')])
  }
  expect(await call('erase_note', '--allow-tool', 'erase_note')).toContain('erase_note did')

  const tools = [LIST ?? {}, ERASE ?? {}, LATER ?? {}]
  writeFileSync(join(folder, SERVER_FILE), createServerProgram(tools, SAY))
  expect(await call('list_notes')).toContain('list_notes did')
  expect(await call('list_secrets')).toContain('approvals allow')
})

test('promise gateway: a rule decides about the tool that call_tool calls, and the user of a client is asked about its arguments', async () => {
  const { folder, server } = makeServer()
  const rules = [
    '--deny-tool',
    'erase_note(id=7)',
    '--ask-tool',
    'erase_note',
    '--deny-tool',
    'call_tool',
  ]
  const asked: string[] = []
  const client = await connectClient(
    folder,
    ['serve', ...server, ...rules, '--defer-above', '1'],
    ({ message }) => {
      asked.push(message)
      return { action: 'accept', content: { value: true, run: true } }
    },
  )
  const erase = async (id: string): Promise<string> =>
    JSON.stringify(
      await client.callTool({
        name: 'call_tool',
        arguments: { name: 'erase_note', arguments: { id } },
      }),
    )
  expect(await erase('7')).toContain('(command line) denies')
  expect(asked).toEqual([])
  await erase('8')
  expect(asked.join('')).toContain('Run erase_note of the server notes?')
  expect(asked.join('')).toContain('8')
})

test('promise gateway: --install keeps the rules in their order, and programs that are typed have them too', async () => {
  const { folder, server } = makeServer()
  const rules = [
    '--deny-tool',
    'erase_note(id=7)',
    '--allow-tool',
    'erase_note',
    '--deny-tool',
    'l*',
  ]
  const installing = ['serve', ...server, ...rules, '--install', 'vscode', '--yes']
  expect((await toolblocks(folder, ...installing)).code).toBe(0)
  const file = join(process.env['XDG_CONFIG_HOME'] ?? '', 'Code/User/mcp.json')
  const { args } = JSON.parse(readFileSync(file, 'utf8')).servers.notes
  expect(args.join(' ')).toContain(rules.join(' '))

  const program = makeFolder({ 'say.sh': 'echo "said $*"\n' })
  const client = await connectClient(program, ['serve', 'sh say.sh', '--deny-tool', 'say(args=no)'])
  const say = async (word: string): Promise<string> =>
    JSON.stringify(await client.callTool({ name: 'say', arguments: { args: [word] } }))
  expect(await say('yes')).toContain('said yes')
  expect(await say('no')).toContain('(command line) denies')
})

const OUTWEIGHS = 'To allow it all the same, for this run: --allow-tool "erase(path=file)"'

test('promise approvals: a person reads which rule denied a call and how it is ended, and a model does not', async () => {
  const model = await makeModel(
    ...['typed', 'file', 'own', 'stored'].map((path) => ['erase', { path }] as const),
  )
  const folder = makeFolder({
    'toolblocks.toml': `${model.settings}${makeRules('deny erase(path=file)')}${makeTool('erase', 'unattended')}`,
  })
  writeSettings(makeRules('deny erase(path=own)'))
  const denying = await toolblocks(folder, 'approvals', 'deny', 'erase(path=stored)')
  const [, id = ''] = /\((\w+)\)\.$/m.exec(denying.stdout) ?? []
  const settings = join(process.env['XDG_CONFIG_HOME'] ?? '', 'toolblocks', 'config.toml')
  const places = {
    typed: 'The rule is the option --deny-tool "erase(path=typed)".',
    file: `The rule is in ${join(folder, 'toolblocks.toml')}:`,
    own: `The rule is in ${settings}:2: approvals.rules.0.`,
    stored: `approvals revoke ${id}" removes the rule.`,
  }
  const typed = ['--deny-tool', 'erase(path=typed)']
  const ran = await toolblocks(folder, 'run', 'Go.', '--no-input', ...typed)
  const find = (output: string, text: string): readonly string[] =>
    output.split('\n').filter((line) => line.includes(text))
  for (const [path, end] of Object.entries(places)) {
    const [rulePlace = '', ...more] = find(ran.stderr, end)
    expect([rulePlace.endsWith('.'), more]).toEqual([true, []])
    const reason = `The rule "erase(path=${path})" (`
    expect(find(ran.stdout + ran.stderr, reason)).toHaveLength(1)
    const called = await toolblocks(folder, 'call', 'erase', '--arg', `path=${path}`, ...typed)
    expect(called.code).toBe(3)
    expect(find(called.stdout + called.stderr, `erase(path=${path})`)).toEqual([
      expect.stringContaining(reason),
      ...(path === 'typed' ? [rulePlace] : []),
      ...(path === 'file' ? [OUTWEIGHS] : []),
    ])
    expect(find(called.stderr, end)).toEqual([rulePlace])
    if (path === 'typed') continue
    const tested = await toolblocks(folder, 'approvals', 'test', `erase(path=${path})`)
    expect(tested.stdout).toMatch(/^deny: the rule erase\(path=\w+\) \(\w+\); /)
    const lower = rulePlace.replace('The rule is', 'it is').replace('the rule.', 'it.')
    expect(`${tested.stdout.trim()}.`).toContain(`; ${lower}`)
  }
  expect(model.results()).toHaveLength(4)
  const recorded = JSON.stringify(
    readStoredRows(folder).filter(({ type }) => type !== 'configuration'),
  )
  for (const text of [...model.results(), recorded]) {
    expect(text).toContain('denies this call of ')
    for (const secret of ['revoke', id, 'toml', '--deny-tool']) expect(text).not.toContain(secret)
  }
  const read = await toolblocks(folder, 'conversations', 'show', 'latest')
  expect(read.stdout).toContain(
    'by the rule erase(path=stored) (stored, see "toolblocks approvals")',
  )

  const json = await toolblocks(
    folder,
    'approvals',
    'test',
    'erase(path=stored)',
    '--output',
    'json',
  )
  expect(JSON.parse(json.stdout)).toMatchObject({ effect: 'deny', source: 'stored', id })
  expect((await toolblocks(folder, 'approvals', 'revoke', id)).code).toBe(0)
  const after = await toolblocks(folder, 'call', 'erase', '--arg', 'path=stored')
  expect([after.stdout, after.stderr]).toEqual(['erase did stored\n', ''])
})
