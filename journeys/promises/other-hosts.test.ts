import { existsSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run, visit } from '../stage/command.ts'
import { makeFolder } from '../stage/folder.ts'
import { NOTES } from '../stage/notes-server.ts'
import { getScreen } from '../stage/screen.ts'

/** The home folder of a user with the same server in two hosts, and one with secrets in a third. */
function makeHome(): string {
  const notes = { command: NOTES.command, args: NOTES.args }
  const tracker = {
    url: 'https://tracker.example/mcp',
    headers: { Authorization: 'Bearer abc', 'X-Team': 'blue', 'X-User': '${env:USER_ID}' },
  }
  return makeFolder({
    '.claude.json': JSON.stringify({ theme: 'dark', mcpServers: { notes } }),
    '.cursor/mcp.json': `{\n  // mine\n  "mcpServers": ${JSON.stringify({ memo: notes, tracker })},\n}`,
  })
}

/** Every host's file is looked up below this folder. */
function homeEnvironment(home: string): NodeJS.ProcessEnv {
  return { ...process.env, HOME: home, XDG_CONFIG_HOME: join(home, '.config') }
}

test('promise other hosts: mcp list --discover shows the servers of other hosts once, with masked values, and starts none', async () => {
  const home = makeHome()
  const pid = join(home, 'pid')
  const folder = makeFolder({
    '.vscode/mcp.json': `{"servers": {"runs": {"command": "touch", "args": [${JSON.stringify(pid)}]}}}`,
  })
  const listed = await run(folder, ['mcp', 'list', '--discover'], homeEnvironment(home))
  expect(listed.code).toBe(0)
  const lines = listed.stdout.split('\n')
  expect(lines.filter((line) => line === 'notes')).toHaveLength(1)
  expect(listed.stdout).toContain(`  claude: ${join(home, '.claude.json')}\n`)
  expect(listed.stdout).toContain(`  cursor: ${join(home, '.cursor/mcp.json')} (as "memo")\n`)
  expect(listed.stdout).toContain('  header: Authorization: Bearer ***\n')
  expect(listed.stdout).toContain('  header: X-User: ${USER_ID}\n')
  expect(listed.stdout).toContain(`(in the project ${folder})`)
  expect(listed.stderr).toContain('mcp add --from HOST NAME')
  const json = await run(
    folder,
    ['mcp', 'list', '--discover', '--output', 'json'],
    homeEnvironment(home),
  )
  expect(JSON.parse(json.stdout)).toMatchObject([
    { name: 'runs', command: 'touch', places: [{ host: 'vscode', project: folder }] },
    { name: 'notes', places: [{ host: 'claude' }, { host: 'cursor', name: 'memo' }] },
    { name: 'tracker', headers: { Authorization: 'Bearer ***', 'X-Team': '***' } },
  ])
  expect(listed.stdout + json.stdout).not.toMatch(/abc|blue/)
  expect(existsSync(pid)).toBe(false)
})

test('promise other hosts: mcp add --from shows the whole entry, and after a yes its tools work', async () => {
  const home = makeHome()
  const folder = makeFolder({ 'toolblocks.toml': '# mine\n' })
  const args = ['mcp', 'add', '--from', 'cursor', 'memo']
  const environment = homeEnvironment(home)
  const file = join(folder, 'toolblocks.toml')
  const denied = await visit(folder, args, [[/Add this server\?/, '\r']], { environment })
  expect(denied.code).toBe(3)
  expect(await getScreen(denied.written)).toMatch(/memo\n\s+command:\s/)
  expect(readFileSync(file, 'utf8')).toBe('# mine\n')
  const added = await visit(folder, args, [[/Add this server\?/, 'y\r']], { environment })
  expect(added.code).toBe(0)
  expect(readFileSync(file, 'utf8')).toBe(
    `# mine\n\n[mcp.servers.memo]\ncommand = ${JSON.stringify(NOTES.command)}\nargs = [${NOTES.args.map((arg) => JSON.stringify(arg)).join(', ')}]\n`,
  )
  const called = await run(folder, ['call', 'memo__folder'], {
    ...environment,
    TOOLBLOCKS_TRUST: '',
  })
  expect([called.code, called.stdout]).toEqual([0, expect.stringContaining(folder)])
  const again = await run(folder, ['mcp', 'add', '--yes', '--from', 'cursor', 'memo'], environment)
  expect([again.code, again.stderr]).toEqual([
    2,
    expect.stringContaining('has a server "memo" already; nothing was written'),
  ])
})

test('promise other hosts: mcp add --from keeps what is written into the configuration while a person decides', async () => {
  const folder = makeFolder({ 'toolblocks.toml': '# mine\n' })
  const file = join(folder, 'toolblocks.toml')
  const meanwhile = async (): Promise<string> => {
    writeFileSync(file, '# mine, and more\n')
    return 'y\r'
  }
  const args = ['mcp', 'add', '--from', 'cursor', 'memo']
  const environment = homeEnvironment(makeHome())
  const added = await visit(folder, args, [[/Add this server\?/, meanwhile]], { environment })
  expect(added.code).toBe(0)
  expect(readFileSync(file, 'utf8')).toMatch(/^# mine, and more\n\n\[mcp\.servers\.memo\]/)
})

test('promise other hosts: a secret value is copied only after another yes, else a variable is written', async () => {
  const home = makeHome()
  const environment = homeEnvironment(home)
  const folder = makeFolder({})
  const file = join(folder, 'toolblocks.toml')
  const args = ['mcp', 'add', '--from', 'cursor', '--as', 'a', 'tracker']
  const asked = await visit(
    folder,
    args,
    [
      [/Add this server\?/, 'y\r'],
      [/Copy them/, '\r'],
    ],
    { environment },
  )
  expect(asked.code).toBe(0)
  const screen = await getScreen(asked.written)
  expect(screen).toContain('secret values of Authorization')
  expect(screen).not.toContain('abc')
  expect(screen).toContain('set before the server is used: A_AUTHORIZATION, USER_ID')
  expect(readFileSync(file, 'utf8')).toBe(
    '[mcp.servers.a]\nurl = "https://tracker.example/mcp"\nheaders = { Authorization = "Bearer ${A_AUTHORIZATION}", X-Team = "blue", X-User = "${USER_ID}" }\n',
  )
  const copied = await run(
    folder,
    ['mcp', 'add', '--from', 'cursor', '--copy-secrets', '--yes', '--as', 'b', 'tracker'],
    environment,
  )
  expect(copied.code).toBe(0)
  expect(readFileSync(file, 'utf8')).toContain('Authorization = "Bearer abc"')
})

test('promise other hosts: CVE-2026-41613: every variable and argument that decides what runs is shown before a yes', async () => {
  const env = { NODE_OPTIONS: '--require=./evil1234567890.js', BASH_ENV: 'start1234567890abcdefg' }
  const args = ['-y', 'package1234567890abcdef']
  const mcpServers = { tool: { command: 'npx', args, env: { ...env, API_KEY: 'k-1' } } }
  const home = makeFolder({ '.cursor/mcp.json': JSON.stringify({ mcpServers }) })
  const folder = makeFolder({})
  const addArguments = ['mcp', 'add', '--from', 'cursor', 'tool']
  const asked = await visit(folder, addArguments, [[/Add this server\?/, '\r']], {
    environment: homeEnvironment(home),
  })
  const screen = await getScreen(asked.written)
  for (const part of [...args, ...Object.entries(env).flat(), 'API_KEY=***'])
    expect(screen).toContain(part)
  expect(screen).not.toContain('k-1')
})

test('promise other hosts: text that a program runs is shown whole, with the file that it comes from', async () => {
  const runs = 'TOKEN=1; touch stolen'
  const mcpServers = { tool: { command: 'sh', args: ['-c', runs] } }
  const home = makeFolder({ '.cursor/mcp.json': JSON.stringify({ mcpServers }) })
  const folder = makeFolder({})
  const args = ['mcp', 'add', '--from', 'cursor', 'tool']
  const asked = await visit(folder, args, [[/Add this server\?/, '\r']], {
    environment: homeEnvironment(home),
  })
  const screen = (await getScreen(asked.written)).replaceAll(/\s+/g, ' ')
  expect(screen).toContain(runs)
  expect(screen).toContain('from: ')
  expect(screen.replaceAll(' ', '')).toContain(join(home, '.cursor/mcp.json'))
})

test('promise other hosts: no program is hidden behind an option or a variable whose name sounds like a secret', async () => {
  const mcpServers = {
    // An option of Node.js without a value: the next word is the program.
    one: { command: 'node', args: ['--memory-protection-keys', 'evil.js'] },
    two: { command: 'sh', args: ['-c', '$API_TOKEN'], env: { API_TOKEN: 'evil.js' } },
    three: { command: 'x', env: { PYTHON_KEYRING_BACKEND: 'evil.js', API_KEY: 'k-1' } },
  }
  const home = makeFolder({ '.cursor/mcp.json': JSON.stringify({ mcpServers }) })
  for (const name of Object.keys(mcpServers)) {
    const args = ['mcp', 'add', '--from', 'cursor', name]
    const { code, stderr } = await run(makeFolder({}), args, homeEnvironment(home))
    expect([code, stderr]).toEqual([3, expect.stringContaining('evil.js')])
    expect(stderr).not.toContain('k-1')
  }
})

test.for([
  ['another file defines differently', 'tool', /is another server in .*mcp\.json/],
  ['imitates another one', 't\u043Eol', /several alphabets/],
] as const)(
  'promise other hosts: a name that %s is added only by a person who was told',
  async ([, name, warning]) => {
    const entry = (command: string): string =>
      JSON.stringify({ mcpServers: { [name]: { command } } })
    const home = makeFolder({ '.cursor/mcp.json': entry('one') })
    const folder = makeFolder(
      name === 'tool' ? { '.cursor/mcp.json': entry('other') } : { 'x.txt': '' },
    )
    const environment = homeEnvironment(home)
    const args = ['mcp', 'add', '--from', 'cursor']
    const quick = await run(folder, [...args, '--yes', name], environment)
    expect([quick.code, quick.stderr]).toEqual([2, expect.stringMatching(warning)])
    expect(quick.stderr).toContain('without --yes')
    const asked = await visit(folder, [...args, '--as', 'x', name], [[/Add this server\?/, '\r']], {
      environment,
    })
    expect((await getScreen(asked.written)).replaceAll(/\s+/g, ' ')).toMatch(warning)
    expect(existsSync(join(folder, 'toolblocks.toml'))).toBe(false)
  },
)

test('promise other hosts: --yes says which secret values it copies', async () => {
  const mcpServers = { tool: { command: 'x', args: ['--api-key', 'abc'], env: { LEVEL: 'sk-1' } } }
  const home = makeFolder({ '.cursor/mcp.json': JSON.stringify({ mcpServers }) })
  const folder = makeFolder({})
  const args = ['mcp', 'add', '--from', 'cursor', '--yes', '--copy-secrets', 'tool']
  const { code, stderr } = await run(folder, args, homeEnvironment(home))
  expect(code).toBe(0)
  expect(stderr).toContain('secret values were copied: those of LEVEL, the command or the address')
  expect(stderr).not.toMatch(/abc|sk-1/)
})

test('promise other hosts: without a terminal nothing is written unless --yes is given, and an unknown server is refused', async () => {
  const home = makeHome()
  const folder = makeFolder({})
  const add = async (...args: readonly string[]) =>
    await run(folder, ['mcp', 'add', ...args], homeEnvironment(home))
  const silent = await add('--from', 'cursor', 'tracker')
  expect(silent.code).toBe(3)
  expect(silent.stderr).toContain('only at a terminal or with --yes')
  const details = await add('--from', 'cursor', '--show', 'tracker')
  expect(details.stderr).toContain('Bearer abc')
  const unknown = await add('--from', 'cursor', 'trakcer')
  expect([unknown.code, unknown.stderr]).toEqual([
    2,
    expect.stringContaining('Cursor has no server "trakcer"; did you mean "tracker"?'),
  ])
  const late = await add('tracker', '--from', 'cursor')
  expect([late.code, late.stderr]).toEqual([
    2,
    expect.stringContaining('write --from before the name of the server'),
  ])
  const misplaced = await add('--yes', 'x', 'npx')
  expect([misplaced.code, misplaced.stderr]).toEqual([
    2,
    expect.stringContaining('--yes needs --from'),
  ])
  expect(existsSync(join(folder, 'toolblocks.toml'))).toBe(false)
})

test('promise other hosts: hostile files of other hosts cannot write to the terminal, lead out of the project or fill the memory', async () => {
  const hostile = '\u001B[2J\u001B]0;x\u0007\u202Ename\nsecond'
  const home = makeFolder({
    '.cursor/mcp.json': JSON.stringify({
      mcpServers: { [hostile]: { command: hostile, args: [hostile], env: { [hostile]: hostile } } },
    }),
    '.codeium/windsurf/mcp_config.json': '{}',
    'secret.json': '{"mcpServers": {"stolen": {"command": "stolen"}}}',
  })
  truncateSync(join(home, '.codeium/windsurf/mcp_config.json'), 100 * 1024 * 1024)
  const folder = makeFolder({})
  symlinkSync(join(home, 'secret.json'), join(folder, '.mcp.json'))
  const environment = homeEnvironment(home)
  const { code, written } = await visit(folder, ['mcp', 'list', '--discover'], [], {
    environment,
    columns: 40,
  })
  expect(code).toBe(0)
  // oxlint-disable-next-line no-control-regex -- these characters would move the cursor
  expect(written).not.toMatch(/\u001B\[2J|\u001B\]0|\u0007|\u202E/)
  const screen = (await getScreen(written, 40)).replaceAll(/\s+/g, ' ')
  expect(screen).not.toContain('stolen')
  expect(screen).toContain('link to a file outside of the project')
  expect(screen).toMatch(/expected at most \d+ bytes, got 104857600 bytes/)
})
