import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  readFileSync,
  readdirSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test, vi } from 'vitest'
import { NO_TRUST, type Ran, run, startToolblocks, toolblocks } from '../stage/command.ts'
import { makeFolder, tool } from '../stage/folder.ts'
import { STORE } from '../stage/rows.ts'

const EIGHT = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] as const

/** A program that describes itself under the name that it is started with. */
const DESCRIBED = `#!/bin/sh
case "$(cat)" in
  *'"schema"'*) echo "{\\"tools\\":[{\\"name\\":\\"$1\\",\\"summary\\":\\"Does $1.\\"}]}" ;;
  *) echo ran ;;
esac
`

/** Expects that every command has ended well, and shows what the others said. */
function expectAllWell(ran: readonly Ran[]): void {
  expect(ran.filter(({ code }) => code !== 0)).toEqual([])
}

test('promise several processes: eight processes that write one configuration keep the entries of each other, and each is agreed to', async () => {
  const folder = makeFolder({})
  const env = { ...process.env, ...NO_TRUST }
  const [last, ...first] = EIGHT
  expectAllWell(
    await Promise.all([
      ...first.map((name) => run(folder, ['mcp', 'add', name, 'true', name], env)),
      run(folder, ['new', last, '--language', 'bash'], env),
    ]),
  )
  const { stdout } = await run(folder, ['trust', '--output', 'json'], env)
  const agreed: readonly { part: string; agreed: boolean }[] = JSON.parse(stdout)
  expect(agreed.every((each) => each.agreed)).toBe(true)
  expect([...new Set(agreed.map(({ part }) => part))].toSorted()).toEqual(
    [...first.map((name) => `server ${name}`), `tool ${last}`].toSorted(),
  )
})

test('promise several processes: init and new in an empty folder at the same time keep the tools of each other', async () => {
  const folder = makeFolder({})
  const ran = await Promise.all([
    toolblocks(folder, 'init'),
    ...EIGHT.slice(1).map((name) => toolblocks(folder, 'new', name, '--language', 'bash')),
  ])
  // "init" writes only a first configuration.
  const [started, ...others] = ran
  expectAllWell(others)
  expect([0, 2]).toContain(started?.code)
  const written = readFileSync(join(folder, 'toolblocks.toml'), 'utf8')
  const tools = [...written.matchAll(/^\[tools\.([a-z_]+)\]$/gm)].map(([, name = '']) => name)
  expect(tools.toSorted()).toEqual(
    [...EIGHT.slice(1), ...(started?.code === 0 ? ['count_words'] : [])].toSorted(),
  )
})

test('promise several processes: eight processes that record descriptions keep the pins of each other', async () => {
  const folder = makeFolder({
    'describe.sh': DESCRIBED,
    'toolblocks.toml': EIGHT.map(
      (name) => `[tools.${name}]\nsource = "local"\ncommand = ["./describe.sh", "${name}"]\n`,
    ).join('\n'),
  })
  chmodSync(join(folder, 'describe.sh'), 0o755)
  expectAllWell(await Promise.all(EIGHT.map((name) => toolblocks(folder, 'call', name))))
  const { tools } = JSON.parse(readFileSync(join(folder, 'toolblocks.lock.json'), 'utf8'))
  expect(Object.keys(tools)).toEqual(EIGHT)
  expect(readdirSync(folder).toSorted()).toEqual([
    'describe.sh',
    'node_modules',
    'toolblocks.lock.json',
    'toolblocks.toml',
  ])
})

/** A program that describes itself when the file `go` is there. */
const SLOW = `#!/bin/sh
touch asked
while [ ! -e go ]; do sleep 0.05; done
exec ./describe.sh "$1"
`

test('promise several processes: a process keeps the pin of a tool that was added after it had read the configuration', async () => {
  const table = (name: string, program: string): string =>
    `[tools.${name}]\nsource = "local"\ncommand = ["./${program}", "${name}"]\n`
  const folder = makeFolder({
    'describe.sh': DESCRIBED,
    'slow.sh': SLOW,
    'toolblocks.toml': table('a', 'slow.sh'),
  })
  for (const name of ['describe.sh', 'slow.sh']) chmodSync(join(folder, name), 0o755)
  const slow = toolblocks(folder, 'call', 'a')
  await vi.waitUntil(() => existsSync(join(folder, 'asked')), { timeout: 20_000 })
  appendFileSync(join(folder, 'toolblocks.toml'), table('b', 'describe.sh'))
  expectAllWell([await toolblocks(folder, 'call', 'b')])
  writeFileSync(join(folder, 'go'), '')
  expectAllWell([await slow])
  const { tools } = JSON.parse(readFileSync(join(folder, 'toolblocks.lock.json'), 'utf8'))
  expect(Object.keys(tools)).toEqual(['a', 'b'])
})

test('promise several processes: eight processes that write the files of other hosts keep the entries of each other', async () => {
  const home = makeFolder({
    'describe.sh': DESCRIBED,
    '.claude.json': '{"theme": "dark"}\n',
    '.codex/config.toml': '# mine\n',
  })
  chmodSync(join(home, 'describe.sh'), 0o755)
  const env = { ...process.env, HOME: home, CODEX_HOME: '', CLAUDE_CONFIG_DIR: '' }
  const hosts = ['claude', 'codex', 'cursor'] as const
  const ran = EIGHT.flatMap((name, index) => {
    const host = hosts[index % hosts.length] ?? 'claude'
    return run(home, ['serve', './describe.sh', '--name', name, '--install', host, '--yes'], env)
  })
  expectAllWell(await Promise.all(ran))
  const claude = JSON.parse(readFileSync(join(home, '.claude.json'), 'utf8'))
  expect([claude.theme, Object.keys(claude.mcpServers).toSorted()]).toEqual([
    'dark',
    ['a', 'd', 'g'],
  ])
  const codex = readFileSync(join(home, '.codex/config.toml'), 'utf8')
  expect(codex).toMatch(/^# mine\n/)
  expect(
    [...codex.matchAll(/^\[mcp_servers\.(.)\]$/gm)].map(([, name = '']) => name).toSorted(),
  ).toEqual(['b', 'e', 'h'])
  const cursor = JSON.parse(readFileSync(join(home, '.cursor/mcp.json'), 'utf8'))
  expect(Object.keys(cursor.mcpServers).toSorted()).toEqual(['c', 'f'])
})

/** Starts a process that holds a lock file of the product until it is killed. */
async function holdLock(path: string): Promise<ChildProcess> {
  const program = `
    const { DatabaseSync } = require('node:sqlite')
    new DatabaseSync(process.argv[1]).exec('BEGIN EXCLUSIVE')
    console.log('held')
    setInterval(() => {}, 1e9)`
  const child = spawn(process.execPath, ['-e', program, path], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child
}

/** Files that commands write an entry into: the words of the command, and the file. */
const WRITERS = {
  'mcp add': { getArgs: (name) => ['mcp', 'add', name, 'true'], file: 'toolblocks.toml' },
  new: { getArgs: (name) => ['new', name, '--language', 'bash'], file: 'toolblocks.toml' },
  'serve --install': {
    getArgs: (name) => ['serve', './describe.sh', '--name', name, '--install', 'codex', '--yes'],
    file: '.codex/config.toml',
  },
} as const satisfies Record<string, { getArgs(name: string): readonly string[]; file: string }>

/** A folder in which a command has written its first entry, and the lock that it used. */
async function writeFirst(writer: keyof typeof WRITERS) {
  const { getArgs, file } = WRITERS[writer]
  const folder = makeFolder({ 'describe.sh': DESCRIBED })
  chmodSync(join(folder, 'describe.sh'), 0o755)
  const env = { HOME: folder, CODEX_HOME: '', XDG_DATA_HOME: join(folder, 'data') }
  expectAllWell([await run(folder, getArgs('first'), { ...process.env, ...env })])
  const locks = join(folder, 'data/toolblocks/locks')
  const [lock, ...others] = readdirSync(locks)
  expect(others).toEqual([])
  return { folder, env, getArgs, file: join(folder, file), lock: join(locks, lock ?? '') }
}

test.for(['mcp add', 'new', 'serve --install'] as const)(
  'promise several processes: %s waits for a process that changes the file, says so, and adds to what stands then',
  async (writer) => {
    const { folder, env, getArgs, file, lock } = await writeFirst(writer)
    const holder = await holdLock(lock)
    const waiting = startToolblocks(folder, getArgs('second'), env)
    await waiting.said(/Still waiting for another process, which changes/)
    appendFileSync(file, '# written meanwhile\n')
    // A process that is killed leaves its lock to others.
    holder.kill('SIGKILL')
    expect(await waiting.ended()).toBe(0)
    expect(readFileSync(file, 'utf8')).toMatch(/first[^]*# written meanwhile[^]*second/)
  },
)

test('promise several processes: the wait for a process that changes the configuration ends with Ctrl-C and SIGTERM, and with an error, and writes nothing', async () => {
  const { folder, env, getArgs, file, lock } = await writeFirst('mcp add')
  const before = readFileSync(file, 'utf8')
  await holdLock(lock)
  const [stopped, ended, patient] = ['a', 'b', 'c'].map((name) =>
    startToolblocks(folder, getArgs(name), env),
  )
  await Promise.all([stopped, ended].map(async (each) => await each?.said(/Still waiting/)))
  expect(await stopped?.end('SIGINT')).toBe(130)
  expect(await ended?.end('SIGTERM')).toBe(143)
  await patient?.said(
    /error: .*toolblocks\.toml was not changed: another process changes it and has not finished within 10 seconds\. Continue that process if it is stopped \("fg"\), or end it, and try again/,
  )
  expect(await patient?.ended()).toBe(1)
  expect(readFileSync(file, 'utf8')).toBe(before)
})

test('promise several processes: a command that waits for a store which another process holds says so after a second, and does its work then', async () => {
  const folder = makeFolder({ 'toolblocks.toml': STORE + tool('hello', ['echo', 'hello']) })
  expectAllWell([await toolblocks(folder, 'call', 'hello')])
  const holder = new DatabaseSync(join(folder, 'kept.db'))
  onTestFinished(() => holder.close())
  holder.exec('BEGIN IMMEDIATE')
  const calling = startToolblocks(folder, ['call', 'hello'])
  await calling.said(
    /warning: still waiting for the store \S+kept\.db, which another process holds/,
  )
  holder.exec('ROLLBACK')
  expect(await calling.ended()).toBe(0)
  const { stdout } = await toolblocks(folder, 'conversations', 'list', '--output', 'json')
  expect(JSON.parse(stdout).conversations).toHaveLength(2)
})
