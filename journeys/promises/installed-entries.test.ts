import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse as parseToml } from 'smol-toml'
import { expect, inject, onTestFinished, test } from 'vitest'
import { type Ran, run, visit } from '../stage/command.ts'
import { makeFolder } from '../stage/folder.ts'
import { connectEntry, serveOverHttp } from '../stage/mcp-client.ts'
import { createServerProgram, SERVER_FILE } from '../stage/mcp-server.ts'

/** A server that ends at once without its key, and returns it. */
const SERVER = `if (!process.env.NOTES_KEY) process.exit(1)\n${createServerProgram(
  [{ name: 'get_key', inputSchema: { type: 'object' } }],
  'return { content: [{ type: "text", text: process.env.NOTES_KEY }] }',
)}`

const TOOLS = `
[tools.echo]
source = "local"
command = ["echo", "hello"]
run = "unattended"
parameters = {}
`

/** A person's home with a server, and the command lines that put the gateway before it and take it away. */
function useHome(files: (server: string) => Readonly<Record<string, string>>) {
  const folder = makeFolder({ [SERVER_FILE]: SERVER })
  const server = join(folder, SERVER_FILE)
  const home = makeFolder(files(server))
  const environment = { HOME: home, CLAUDE_CONFIG_DIR: '', CODEX_HOME: '', NOTES_KEY: '' }
  const settings = join(process.env['XDG_CONFIG_HOME'] ?? '', 'toolblocks')
  const served = ['serve', '--server', `"${process.execPath}" ${server}`]
  return {
    home,
    settings,
    served,
    environment,
    read: (name: string) => readFileSync(join(home, name), 'utf8'),
    change: async (...args: readonly string[]): Promise<Ran> =>
      await run(home, [...served, ...args], { ...process.env, ...environment }),
  }
}

const direct = (server: string, key: string): object => ({
  command: process.execPath,
  args: [server],
  env: { NOTES_KEY: key },
})

async function readKey(entry: Parameters<typeof connectEntry>[0], folder: string): Promise<string> {
  const client = await connectEntry(entry, folder)
  const { content } = await client.callTool({ name: 'get_key', arguments: {} })
  await client.close()
  return JSON.stringify(content)
}

test('promise gateway: --install replaces the entry that starts the server directly, with its name, variables and limits, and --uninstall puts it back', async () => {
  const { home, read, change } = useHome((server) => ({
    '.claude.json': JSON.stringify({
      numStartups: 7,
      mcpServers: { own: { ...direct(server, 'k-1'), timeout: 9 }, other: { command: 'x' } },
      tips: [1, 2],
    }),
  }))
  const before = read('.claude.json')
  const installed = await change('--install', 'claude', '--yes')
  expect(installed).toMatchObject({ code: 0, stderr: '' })
  expect(installed.stdout).toContain('Replaced own, which started the server directly, in')
  const after = read('.claude.json')
  expect(after).not.toContain('\n')
  const { mcpServers, ...rest } = JSON.parse(after)
  expect(rest).toEqual({ numStartups: 7, tips: [1, 2] })
  expect(Object.keys(mcpServers)).toEqual(['own', 'other'])
  expect(mcpServers.own).toMatchObject({ timeout: 9, env: { NOTES_KEY: 'k-1' } })
  expect(mcpServers.own.args.join(' ')).not.toContain('k-1')
  expect(await readKey(mcpServers.own, home)).toContain('k-1')

  expect((await change('--install', 'claude')).stdout).toContain('has own already')
  const changed = await change('--policy', 'get_key=deny', '--install', 'claude', '--yes')
  expect(changed.stdout).toContain('Wrote own to')
  const updated = JSON.parse(read('.claude.json')).mcpServers
  expect(Object.keys(updated)).toEqual(['own', 'other'])
  expect(updated.own).toMatchObject({ timeout: 9, env: { NOTES_KEY: 'k-1' } })
  expect(updated.own.args).toEqual(expect.arrayContaining(['get_key=deny', '--env', 'NOTES_KEY']))

  const removed = await change('--uninstall', 'claude', '--yes')
  expect(removed.stdout).toMatch(/^own in .* starts the server directly again\.\n$/)
  expect(read('.claude.json')).toBe(before)
  expect(await change('--uninstall', 'claude', '--yes')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('it has no server that this command would start'),
  })
})

test('promise gateway: the question of --uninstall names what happens to the entry, and the message of --install says to restart the host', async () => {
  const {
    home,
    served,
    environment: without,
  } = useHome((server) => ({
    '.cursor/mcp.json': '{"mcpServers": {}}',
    '.claude.json': JSON.stringify({ mcpServers: { own: direct(server, 'k-1') } }),
  }))
  const environment = { ...without, NOTES_KEY: 'k-1' }
  for (const [host, question] of [
    ['cursor', /Remove it from the file of Cursor\?[^]*Yes[^]*No/],
    ['claude', /Write this into the file of Claude Code\?[^]*Yes[^]*No/],
  ] as const) {
    const own = host === 'cursor' ? [...served, '--env', 'NOTES_KEY'] : served
    const install = [...own, '--install', host, '--yes']
    const installed = await run(home, install, { ...process.env, ...environment })
    expect(installed.stdout, installed.stderr).toMatch(/Restart (?:Cursor|Claude Code) to use it\./)
    const uninstall = [...own, '--uninstall', host]
    expect((await visit(home, uninstall, [[question, 'y\r']], { environment })).code).toBe(0)
  }
})

test('promise gateway: --uninstall keeps what was changed in the entry meanwhile, and how the earlier one was written', async () => {
  const { home, read, change } = useHome((server) => ({
    '.cursor/mcp.json': `{
  "mcpServers": {
    "own": { "command": "${process.execPath}", "args": ["${server}"], // mine
      "env": { "NOTES_KEY": "k-1" } }
  }
}
`,
  }))
  const before = read('.cursor/mcp.json')
  const edit = (from: string, to: string): void =>
    writeFileSync(join(home, '.cursor/mcp.json'), read('.cursor/mcp.json').replace(from, to))
  expect((await change('--install', 'cursor', '--yes')).code).toBe(0)
  expect((await change('--uninstall', 'cursor', '--yes')).code).toBe(0)
  expect(read('.cursor/mcp.json')).toBe(before)
  expect((await change('--install', 'cursor', '--yes')).code).toBe(0)
  edit('"k-1"', '"k-2", "MODE": "fast"')
  expect((await change('--uninstall', 'cursor', '--yes')).code).toBe(0)
  const { own } = JSON.parse(read('.cursor/mcp.json')).mcpServers
  expect(own.env).toEqual({ NOTES_KEY: 'k-2', MODE: 'fast' })
  expect(own.command).toBe(process.execPath)
})

test('promise gateway: --uninstall puts an earlier entry back only in the place of the gateway that replaced it', async () => {
  const { home, read, change, settings } = useHome((server) => ({
    '.cursor/mcp.json': JSON.stringify({ mcpServers: { own: direct(server, 'k-1') } }),
  }))
  const write = (servers: object): void =>
    writeFileSync(join(home, '.cursor/mcp.json'), JSON.stringify({ mcpServers: servers }))
  const install = async (): Promise<object> => {
    expect((await change('--name', 'gw', '--install', 'cursor', '--yes')).code).toBe(0)
    return JSON.parse(read('.cursor/mcp.json')).mcpServers
  }
  const installed = await install()
  expect(Object.keys(installed)).toEqual(['gw'])

  const added = { ...installed, own: { command: 'mine' } }
  write(added)
  expect(await change('--name', 'gw', '--uninstall', 'cursor', '--yes')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('it has another server of this name; rename or remove that'),
  })
  expect(JSON.parse(read('.cursor/mcp.json')).mcpServers).toEqual(added)

  const [, main] = Reflect.get(Reflect.get(installed, 'gw'), 'args') ?? []
  write({ gw: { command: process.execPath, args: [inject('command'), main, '--server', 'other'] } })
  const other = ['serve', '--server', 'other', '--name', 'gw', '--uninstall', 'cursor', '--yes']
  const removed = await run(home, other, { ...process.env, HOME: home })
  expect([removed.code, removed.stdout]).toEqual([0, expect.stringContaining('Removed gw from')])

  write(installed)
  const remembered = join(settings, 'replaced-entries.json')
  onTestFinished(() => rmSync(remembered, { force: true }))
  writeFileSync(remembered, '{')
  expect(await change('--name', 'gw', '--uninstall', 'cursor', '--yes')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('replaced-entries.json is damaged'),
  })
})

test('promise gateway: what --install would write is shown without the secrets of any server', async () => {
  const { change } = useHome((server) => ({
    '.cursor/mcp.json': JSON.stringify({
      mcpServers: {
        own: direct(server, 'sekret-1'),
        other: { command: 'x', env: { API_TOKEN: 'sekret-2' } },
        remote: { url: 'https://ada:sekret-3@notes.example/mcp?token=sekret-4' },
      },
      oauth: { accessToken: 'sekret-5' },
    }),
  }))
  const { code, stderr } = await change('--install', 'cursor')
  expect(code).toBe(3)
  expect(stderr).toContain('"NOTES_KEY": "***"')
  expect(stderr).not.toContain('sekret')
})

test('promise gateway: each project of a host keeps its own variables, and files of a project are named and not changed', async () => {
  const { home, read, change } = useHome((server) => ({
    '.claude.json': JSON.stringify(
      {
        projects: {
          '/a': { mcpServers: { notes: direct(server, 'k-a') } },
          '/b': { mcpServers: { notes: direct(server, 'k-b') }, allowed: true },
        },
      },
      null,
      2,
    ),
    '.mcp.json': JSON.stringify({ mcpServers: { shared: direct(server, 'k-c') } }),
  }))
  const [before, project] = [read('.claude.json'), read('.mcp.json')]
  const { code, stdout, stderr } = await change('--install', 'claude', '--yes')
  expect(code).toBe(0)
  expect(stdout).toContain('Replaced notes of /a and notes of /b')
  expect(stderr).toMatch(/\.mcp\.json: shared.* starts the same server directly\. Remove it there/)
  expect(read('.mcp.json')).toBe(project)
  const { projects, mcpServers } = JSON.parse(read('.claude.json'))
  expect(mcpServers).toBeUndefined()
  for (const name of ['a', 'b'])
    expect(await readKey(projects[`/${name}`].mcpServers.notes, home)).toContain(`k-${name}`)
  expect((await change('--uninstall', 'claude', '--yes')).code).toBe(0)
  expect(read('.claude.json')).toBe(before)
})

test('promise gateway: in a TOML file, the tables of the direct entry are replaced, and all else stays', async () => {
  const rest = 'model = "m" # mine\n\n[mcp_servers.other]\ncommand = "x"\n'
  const { home, read, change } = useHome((server) => ({
    '.codex/config.toml': `${rest}
[mcp_servers.own] # notes
command = ${JSON.stringify(process.execPath)}
args = [${JSON.stringify(server)}]
startup_timeout_sec = 20

# The key of the notes.
[mcp_servers.own.env] # env
"NOTES_KEY" = "k-1"

[tui]
theme = "dark"
`,
  }))
  const before = read('.codex/config.toml')
  expect(await change('--install', 'codex', '--yes')).toMatchObject({ code: 0, stderr: '' })
  const text = read('.codex/config.toml')
  expect(text).toContain(rest)
  expect(text.endsWith('\n\n[tui]\ntheme = "dark"\n')).toBe(true)
  const { own } = JSON.parse(JSON.stringify(parseToml(text)['mcp_servers']))
  expect(own).toMatchObject({ startup_timeout_sec: 20, env: { NOTES_KEY: 'k-1' } })
  expect(await readKey(own, home)).toContain('k-1')
  expect((await change('--uninstall', 'codex', '--yes')).code).toBe(0)
  expect(read('.codex/config.toml')).toBe(before)
})

test('promise gateway: the headers of a direct entry reach the server, and its token is no argument', async () => {
  const served = await serveOverHttp(makeFolder({ 'toolblocks.toml': TOOLS }), [])
  const { authorization } = served.headers
  const file = '.gemini/settings.json'
  const entry = { httpUrl: served.url.href, headers: { Authorization: authorization }, trust: true }
  const home = makeFolder({ [file]: JSON.stringify({ mcpServers: { remote: entry } }) })
  const change = async (...args: readonly string[]): Promise<Ran> =>
    await run(home, ['serve', '--server', served.url.href, ...args, 'gemini', '--yes'], {
      ...process.env,
      HOME: home,
    })
  expect(await change('--install')).toMatchObject({ code: 0, stderr: '' })
  const { remote } = JSON.parse(readFileSync(join(home, file), 'utf8')).mcpServers
  expect(remote).toMatchObject({ trust: true, env: { HEADER_AUTHORIZATION: authorization } })
  expect(remote).not.toHaveProperty('httpUrl')
  expect(remote.args.join(' ')).not.toContain(authorization)
  const client = await connectEntry(remote, home)
  expect(JSON.stringify(await client.callTool({ name: 'echo', arguments: {} }))).toContain('hello')
  await client.close()
  expect((await change('--uninstall')).code).toBe(0)
  expect(JSON.parse(readFileSync(join(home, file), 'utf8')).mcpServers).toEqual({ remote: entry })
})

test('promise gateway: --uninstall shows what it removes, asks, and leaves the servers of others', async () => {
  const { home, served, environment, read, change } = useHome(() => ({
    '.cursor/mcp.json':
      '{\n  // mine\n  "mcpServers": {\n    "theirs": {"command":"x"}, // theirs\n  },\n}\n',
  }))
  const before = read('.cursor/mcp.json')
  const key = ['--env', 'NOTES_KEY=k']
  expect((await change(...key, '--name', 'mine', '--install', 'cursor', '--yes')).code).toBe(0)
  expect(await change('--uninstall', 'cursor')).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('only at a terminal or with --yes; nothing was written'),
  })
  const theirs = await change('--name', 'theirs', '--uninstall', 'cursor', '--yes')
  expect(theirs).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      '"theirs" does not start toolblocks serve; name one with --name: mine',
    ),
  })
  const args = [...served, '--uninstall', 'cursor']
  const stopped = await visit(home, args, [[/Yes[^]*No/, '\u0003']], { environment })
  expect(stopped.code).toBe(130)
  const { code, written } = await visit(home, args, [[/Yes[^]*No/, 'y\r']], { environment })
  expect([code, written]).toEqual([0, expect.stringContaining('Removed mine from')])
  expect(read('.cursor/mcp.json')).toBe(before)
})

test('promise gateway: --uninstall with a name does not remove the server of another program that also has a command serve', async () => {
  const other = { command: 'node', args: ['/opt/other/dist/main.js', 'serve', '--port', '1'] }
  const { read, change } = useHome(() => ({
    '.cursor/mcp.json': JSON.stringify({ mcpServers: { other } }),
  }))
  const before = read('.cursor/mcp.json')
  expect(await change('--name', 'other', '--uninstall', 'cursor', '--yes')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('"other" does not start toolblocks serve'),
  })
  expect(read('.cursor/mcp.json')).toBe(before)
})

test('promise gateway: programs and the tools of a folder are removed by the words that installed them, and --uninstall starts nothing', async () => {
  const started = `#!${process.execPath}\nrequire('node:fs').writeFileSync('started', '')\n`
  const folder = makeFolder({ 'toolblocks.toml': TOOLS, 'greet.cjs': started })
  const file = join(folder, '.cursor/mcp.json')
  const change = async (...args: readonly string[]): Promise<Ran> =>
    await run(folder, ['serve', '--yes', ...args, 'cursor'], { ...process.env, HOME: folder })
  expect((await change('--install')).code).toBe(0)
  const program = [`${process.execPath} greet.cjs`]
  expect((await change('--name', 'nothing', '--uninstall')).stderr).toContain(
    'name one with --name',
  )
  expect((await change(...program, '--uninstall')).code).toBe(2)
  expect((await change('--uninstall')).code).toBe(0)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({})
  expect(existsSync(join(folder, 'started'))).toBe(false)
})
