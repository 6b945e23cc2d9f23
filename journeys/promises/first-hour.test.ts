import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { NO_TRUST, toolblocks, visit } from '../stage/command.ts'
import { makeFolder, tool } from '../stage/folder.ts'
import { connectEntry } from '../stage/mcp-client.ts'
import { startProvider } from '../stage/provider.ts'
import { readRows, STORE } from '../stage/rows.ts'
import { getScreen } from '../stage/screen.ts'
import { readPage, startView } from '../stage/view.ts'

const GREET = `#!${process.execPath}
let text = ''
for await (const part of process.stdin) text += part
const { context, tool } = JSON.parse(text)
const parameters = {
  who: { type: 'string', summary: 'Who is greeted.' },
  times: { type: 'integer', summary: 'How often.' },
  loud: { type: 'boolean', required: false },
}
console.log(context.action === 'schema'
  ? JSON.stringify({ tools: [{ name: 'greet', summary: 'Greets.', parameters }] })
  : JSON.stringify(tool.arguments))
`

/** A folder with two programs; one of them describes itself. */
function makePrograms(): string {
  const folder = makeFolder({
    'greet.mjs': GREET,
    'count-words.sh': '#!/bin/sh\n# Counts the words of a file.\nwc -w "$1"\n',
    'hang.sh': '#!/bin/sh\nsleep 100\n',
  })
  for (const name of ['greet.mjs', 'count-words.sh', 'hang.sh'])
    chmodSync(join(folder, name), 0o755)
  return folder
}

test('promise first hour: at a terminal call ./FILE asks for missing arguments, with the texts of the schema', async () => {
  const { code, written } = await visit(
    makePrograms(),
    ['call', './greet.mjs', '--arg', 'loud=true'],
    [
      [/Who is greeted\./, 'Ada\r'],
      [/How often\./, '2\r'],
      [/Send this/, '\r'],
    ],
  )
  const screen = await getScreen(written)
  expect(screen).toContain('What greet takes')
  expect(screen).toContain('{"loud":true,"who":"Ada","times":2}')
  expect(code).toBe(0)
})

test('promise first hour: if the question for missing arguments is cancelled, nothing is called', async () => {
  const { code, written } = await visit(
    makePrograms(),
    ['call', './greet.mjs'],
    [[/Who is greeted\./, '\u0003']],
  )
  expect(code).toBe(130)
  expect(written).not.toContain('{"who"')
})

test('promise first hour: without a terminal, and with --no-input, the error names the missing arguments', async () => {
  const folder = makePrograms()
  const { code, stderr } = await toolblocks(folder, 'call', './greet.mjs')
  expect(code).toBe(2)
  expect(stderr).toContain('the argument "who" is missing; pass it as --arg who=…')
  const silent = await visit(folder, ['call', './greet.mjs', '--no-input'], [])
  expect([silent.code, silent.written]).toEqual([2, expect.stringContaining('"who" is missing')])
})

test('promise first hour: a value after a program with one parameter is refused, and the error names the option to write', async () => {
  const folder = makeFolder({
    'toolblocks.toml': tool('one', ['true'], '[tools.one.parameters.path]\ntype = "string"'),
  })
  const { stderr } = await toolblocks(folder, 'call', 'one', 'a b.txt')
  expect(stderr).toContain(
    `unexpected "a b.txt" after the name of the tool; write --arg 'path=a b.txt'`,
  )
})

test('promise first hour: serve shows a person the tools, the entry for a host, and that it waits for a client', async () => {
  const folder = makePrograms()
  const { code, written } = await visit(
    folder,
    ['serve', './greet.mjs', './count-words.sh', 'git log --oneline'],
    [[/Ctrl-C ends the server/, '\u0003']],
  )
  const screen = await getScreen(written)
  expect(screen).toContain('greet        Greets.')
  expect(screen).toContain('count_words  Counts the words of a file.')
  expect(screen).toContain('git_log      Runs git log --oneline.')
  expect(screen).toContain(join(folder, 'greet.mjs'))
  expect(screen).toContain('Now waiting for a client')
  expect(code).toBe(0)
})

test('promise first hour: serve --install writes an entry with absolute paths after a yes, and the host starts the tools with it', async () => {
  const folder = makePrograms()
  const home = makeFolder({ '.cursor/mcp.json': '{\n  // mine\n  "mcpServers": {},\n}\n' })
  const commandLine = ['serve', './greet.mjs', '--install', 'cursor']
  const environment = { HOME: home }
  const denied = await visit(folder, commandLine, [[/Write this/, '\r']], { environment })
  expect(denied.code).toBe(3)
  expect(readFileSync(join(home, '.cursor/mcp.json'), 'utf8')).not.toContain('greet')
  const { code, written } = await visit(folder, commandLine, [[/Write this/, 'y\r']], {
    environment,
  })
  expect(code).toBe(0)
  expect(await getScreen(written)).toContain('"greet": {')
  const text = readFileSync(join(home, '.cursor/mcp.json'), 'utf8')
  expect(text).toContain('// mine')
  const { command, args } = JSON.parse(text.replace('// mine', '').replace('},\n}', '}\n}'))
    .mcpServers.greet
  const client = await connectEntry({ command, args }, home)
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['greet'])
  const again = await visit(folder, commandLine, [], { environment })
  expect(again.written).toContain('has greet already')
  writeFileSync(join(folder, 'other.sh'), '#!/bin/sh\n')
  chmodSync(join(folder, 'other.sh'), 0o755)
  const other = ['serve', './other.sh', '--name', 'greet', '--install', 'cursor', '--yes']
  const taken = await visit(folder, other, [], { environment })
  expect([taken.code, await getScreen(taken.written)]).toEqual([
    2,
    expect.stringMatching(/another\s+server\s+"greet"/),
  ])
})

test('promise first hour: after serve --install the person reads which tools ask about each call', async () => {
  const names = ['one', 'two', 'three', 'four', 'five', 'free']
  const toml = names.map((name) => tool(name, ['true'])).join('')
  const allow = '[approvals]\nrules = ["allow free", "allow one(args=1)"]\n'
  const folder = makeFolder({
    'toolblocks.toml': toml.replaceAll(/run = .*\n/g, '') + allow,
  })
  const install = async (...more: readonly string[]): Promise<string> => {
    const home = makeFolder({})
    const commandLine = ['serve', ...more, '--install', 'cursor', '--yes', '--trust']
    const { written } = await visit(folder, commandLine, [], { environment: { HOME: home } })
    return (await getScreen(written)).replaceAll(/\s+/g, ' ')
  }
  expect(await install()).toContain(
    'one, two, three and 2 more ask you about each call; run = "unattended" in toolblocks.toml lets them run without asking.',
  )
  expect(await install('--allow-tool', 't*', '--allow-tool', 'f*')).toContain('one asks you about')
  expect(await install('--allow-tool', '*')).not.toMatch(/asks? you/)
  expect(await install('--trust-client')).not.toMatch(/asks? you/)
})

test('promise first hour: serve reports after two seconds that a program does not answer', async () => {
  const { written } = await visit(
    makePrograms(),
    ['serve', './hang.sh'],
    [[/has not answered yet/, '\u0003']],
  )
  expect(await getScreen(written)).toContain('./hang.sh was asked for its description')
})

test('promise first hour: in a folder without a configuration run and conversations use the model and the store of the user', async () => {
  const model = await startProvider([{ text: 'Hello Ada.' }])
  const [, modelTable = ''] = model.settings.split('\n[model]')
  const home = makeFolder({ 'toolblocks/config.toml': `[model]${modelTable}` })
  const environment = { XDG_CONFIG_HOME: home, XDG_DATA_HOME: join(home, 'data') }
  const folder = makeFolder({})
  const ran = await visit(folder, ['run', 'Hi'], [], { environment })
  expect([ran.code, ran.written]).toEqual([0, expect.stringContaining('Hello Ada.')])
  const kept = readRows(join(home, 'data/toolblocks/conversations.db'))
  expect(kept.map(({ type }) => type)).toContain('assistant_message')
  const listed = await visit(makeFolder({}), ['conversations', 'list'], [], { environment })
  expect([listed.code, listed.written]).toEqual([0, expect.stringMatching(/\d\s+events/)])
  const called = await visit(folder, ['call', '/bin/echo', 'hi'], [], { environment })
  expect(called.code).toBe(0)
  expect(readRows(join(home, 'data/toolblocks/conversations.db'))).toHaveLength(kept.length)
  expect(readdirSync(folder)).toEqual(['node_modules'])
})

test('promise first hour: with the prices of the user, show and /cost print the cost of a conversation', async () => {
  const model = await startProvider([
    { text: 'Hello Ada.', usage: { input: 500_000, cached: 100_000, output: 10_000 } },
  ])
  const home = makeFolder({
    'toolblocks/config.toml': '[prices."m*"]\ninput = 3\ncached = 0.3\noutput = 15\n',
  })
  const environment = { XDG_CONFIG_HOME: home }
  const folder = makeFolder({ 'toolblocks.toml': model.settings })
  const { written } = await visit(
    folder,
    ['chat'],
    [
      [/› /, 'Hi\r'],
      [/Hello Ada\.[^]*› /, '/cost\r'],
      [/cost 1\.38[^]*› /, 'exit\r'],
    ],
    { environment },
  )
  expect(written).toContain('500,000 tokens in (100,000 cached), 10,000 out, cost 1.38')
  const visited = await visit(folder, ['conversations', 'show', 'latest'], [], { environment })
  expect(await getScreen(visited.written)).toContain('10,000 out, cost 1.38')
})

test('promise first hour: view opens the store of the user and uses the theme of the user', async () => {
  const home = makeFolder({
    'toolblocks/config.toml':
      'theme = "dark"\n[store]\nurl = "sqlite:mine.db"\n[model]\nprovider = "scripted"\n',
  })
  const environment = { XDG_CONFIG_HOME: home }
  const folder = makeFolder({})
  expect((await visit(folder, ['run', 'Light the lamp'], [], { environment })).code).toBe(0)
  vi.stubEnv('XDG_CONFIG_HOME', home)
  onTestFinished(() => void vi.unstubAllEnvs())
  const { address } = await startView(folder)
  expect(await readPage(address)).toContain('Light the lamp')
  const style = new URL(`view.css${address.hash}`, address)
  expect(await readPage(style)).toContain('color-scheme:dark')
})

test('promise first hour: while the store of a folder waits for agreement, nothing is recorded elsewhere', async () => {
  const home = makeFolder({
    'toolblocks/config.toml': '[store]\nurl = "sqlite:mine.db"\n[model]\nprovider = "scripted"\n',
  })
  const environment = { XDG_CONFIG_HOME: home, XDG_DATA_HOME: home, ...NO_TRUST }
  const folder = makeFolder({ 'toolblocks.toml': STORE + tool('hello', ['echo', 'hello']) })
  const called = await visit(folder, ['call', 'hello'], [], { environment })
  const no = [/Do you agree/, 'n\r'] as const
  const asked = await visit(folder, ['run', 'Hi'], [no], { environment })
  for (const { code, written } of [called, asked]) {
    expect(code).toBe(0)
    expect(await getScreen(written)).toMatch(/not agreed/)
  }
  expect(existsSync(join(home, 'toolblocks/mine.db'))).toBe(false)
  expect(existsSync(join(folder, 'kept.db'))).toBe(false)
})

test('promise first hour: the error for an unknown option names the help of its command', async () => {
  const folder = makeFolder({})
  const unknown = await toolblocks(folder, 'conversations', 'list', '--limt', '3')
  expect(unknown.stderr).toBe(
    "error: unknown option '--limt'\n(Did you mean --limit?)\n(see toolblocks conversations list --help)\n",
  )
  const two = await toolblocks(folder, 'new', 'tool', 'greet')
  expect([two.code, two.stderr]).toEqual([
    2,
    expect.stringContaining('write: toolblocks new greet'),
  ])
})

test('promise first hour: at 80 columns the help has one line for each command, in its group', async () => {
  const { stdout } = await toolblocks(makeFolder({}), '--help')
  const groups = stdout.slice(stdout.indexOf('Start:'), stdout.indexOf('Examples:'))
  expect(groups.match(/^\S.*:$/gm)).toEqual([
    'Start:',
    'Tools:',
    'Conversations:',
    'Model:',
    'Settings:',
  ])
  for (const line of groups.split('\n').filter((each) => each.startsWith(' ')))
    expect(line).toMatch(/^ {2}[a-z]+ +\S/)
  for (const line of groups.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
})
