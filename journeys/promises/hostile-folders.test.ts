import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { hasResults, startProvider } from '../stage/provider.ts'
import { HOSTILE_FOLDERS, setTrap, type Trap } from './hostile-folders.suite.ts'
import {
  NO_TRUST,
  type Ran,
  run,
  startToolblocks,
  toolblocks,
  visit,
  withoutTrust,
} from '../stage/command.ts'

// A value that a hostile folder would send, and a PATH on which it would find its own programs.
Object.assign(process.env, {
  SECRET_TOKEN: 'a secret',
  ANTHROPIC_API_KEY: 'a key',
  OPENAI_API_KEY: 'a key',
  GEMINI_API_KEY: 'a key',
  PGPASSWORD: 'a password',
  PATH: `.::${process.env['PATH']}`,
})

/**
 * The arguments for each command of the program. A command without an entry fails the test, so that its author decides whether it is safe in a
 * hostile folder.
 */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  tools: [],
  'tools accept': ['--all'],
  call: ['fine'],
  run: ['hello'],
  chat: [],
  approvals: [],
  'approvals allow': ['h1'],
  'approvals revoke': ['none'],
  'conversations list': [],
  'conversations show': ['x'],
  'conversations search': ['x'],
  'conversations export': ['x', '--output', 'jsonl'],
  'conversations compact': ['x'],
  'conversations verify': [],
  'conversations scrub': ['--all', '--secret', 'some secret'],
  'conversations delete': ['x', '--yes'],
  'questions list': [],
  'questions show': ['x'],
  'questions answer': ['x', '--yes'],
  'questions decline': ['x'],
  'questions withdraw': ['x'],
  import: ['.'],
  view: ['--no-open'],
  serve: [],
  'mcp list': [],
  'mcp add': ['new', 'true'],
  'mcp inspect': ['h13'],
  'mcp login': ['h17'],
  'mcp logout': ['h17'],
  'mcp status': [],
  demo: ['--output', 'json'],
  gallery: [],
  init: [],
  new: ['mine', '--language', 'bash'],
  trust: [],
  'config schema': [],
  'config show': [],
  doctor: [],
  completion: ['bash'],
  complete: ['--', 'call', ''],
}

/** Commands that write files because the person asks for it. */
const WRITES: Readonly<Record<string, true>> = { 'mcp add': true, new: true }
const WRITTEN = /\/folder(?:\/toolblocks\.toml|\/tools(?:\/[^/]+)?)?$/
/** The number of commands that run at the same time. */
const SIDE_BY_SIDE = 5

/** Lists every command in the help of the program, and the one that shells call. */
async function listCommands(folder: string, before: readonly string[] = []): Promise<string[]> {
  const { stdout } = await toolblocks(folder, ...before, '--help')
  const groups = stdout.matchAll(
    /^(?:Start|Tools|Conversations|Model|Settings|Commands):\n((?: {2,}.*\n?)*)/gm,
  )
  const names = [...groups].flatMap(([, listed = '']) =>
    [...listed.matchAll(/^ {2}([a-z]+)/gm)]
      .map(([, name = '']) => name)
      .filter((name) => name !== 'help'),
  )
  const below = await Promise.all(
    names.map(async (name) => [
      [...before, name].join(' '),
      ...(await listCommands(folder, [...before, name])),
    ]),
  )
  return below.flat()
}

function expectUntouched(trap: Trap, before: ReadonlyMap<string, string>, allowed = /^$/): void {
  const now = trap.readFiles()
  const changed = [...new Set([...before.keys(), ...now.keys()])].filter(
    (path) => before.get(path) !== now.get(path) && !allowed.test(path),
  )
  expect(changed).toEqual([])
  expect(trap.connections()).toBe(0)
}

test('promise nothing without a yes: all hostile folders together start, send, create and change nothing, with any command', async () => {
  const together = Object.values(HOSTILE_FOLDERS).filter(({ isAlone }) => !isAlone)
  const trap = await setTrap(together)
  const groups = ['conversations', 'questions', 'mcp', 'config']
  const commands = [...(await listCommands(trap.folder)), 'complete']
  expect(commands.filter((name) => !groups.includes(name)).toSorted()).toEqual(
    Object.keys(ARGUMENTS).toSorted(),
  )
  const typed = Object.keys(ARGUMENTS).toSorted((a, b) => Number(b in WRITES) - Number(a in WRITES))
  for (let at = 0; at < typed.length; at += SIDE_BY_SIDE) {
    const some = typed.slice(at, at + SIDE_BY_SIDE)
    const before = trap.readFiles()
    await Promise.all(
      some.map((command) =>
        withoutTrust(trap.folder, ...command.split(' '), ...(ARGUMENTS[command] ?? [])),
      ),
    )
    expectUntouched(trap, before, some.some((command) => command in WRITES) ? WRITTEN : /^$/)
  }
}, 120_000)

test('promise nothing without a yes: at a terminal they do nothing either if the person refuses', async () => {
  const together = Object.values(HOSTILE_FOLDERS).filter(({ isAlone }) => !isAlone)
  const trap = await setTrap(together)
  const before = trap.readFiles()
  for (const command of ['chat', 'tools', 'trust']) {
    const { written } = await visit(
      trap.folder,
      [command],
      [[/Do you agree to this\?[^]*No/, 'n\r']],
      {
        environment: NO_TRUST,
      },
    )
    expect(written).toContain('SECRET_TOKEN')
  }
  expectUntouched(trap, before)
})

test('promise nothing without a yes: no program of the folder is started, whatever PATH is', async () => {
  const trap = await setTrap([])
  const below = join(trap.folder, 'below')
  const names = ['node', 'python3', 'bash', 'sh', 'vi', 'git', 'xdg-open', 'npx']
  const places = [join(below, 'bin'), join(below, 'node_modules/.bin')]
  places.push(join(trap.folder, 'node_modules/.bin'), join(trap.folder, 'bin'))
  for (const place of places) {
    mkdirSync(place, { recursive: true })
    for (const name of names)
      writeFileSync(join(place, name), `#!/bin/sh\ntouch '${trap.outside}/started'\n`, {
        mode: 0o755,
      })
  }
  const before = trap.readFiles()
  const env = {
    ...process.env,
    ...NO_TRUST,
    PATH: [...places, process.env['PATH'] ?? ''].join(':'),
  }
  for (const words of [
    ['doctor'],
    ['tools'],
    ['mcp', 'list'],
    ['new', 'mine', '--language', 'node'],
  ])
    await run(below, words, env)
  expectUntouched(trap, before, /\/folder\/(?:below\/)?(?:toolblocks\.toml|tools(?:\/[^/]+)?)$/)
})

/** What a repository can carry at the names of files that commands write, each a link to a file of the user. */
const LINKS: Readonly<Record<string, readonly string[]>> = {
  'a configuration': ['toolblocks.toml'],
  'a missing configuration': ['toolblocks.toml -> missing.toml'],
  'drafts of a configuration': [
    ...Array.from({ length: 200 }, (_, id) => `toolblocks.toml.${process.pid + id}.new`),
    'toolblocks.toml.new',
    'toolblocks.toml.lock',
  ],
  'pins and their lock': ['toolblocks.lock.json', 'toolblocks.lock.json.lock'],
  'a store': ['kept.db -> missing.db'],
  'the files beside a store': ['kept.db-wal', 'kept.db-shm', 'kept.db-journal'],
  'a page to write': ['page.html', 'gallery.html -> missing.html'],
  'a folder of tools': ['tools -> .'],
  'tools in their folder': ['tools/mine.sh', 'tools/mine.test.sh', 'tools/count-words.sh'],
}

test.for(Object.entries(LINKS))(
  'promise nothing without a yes: no command writes through links of a folder, even of one that was agreed to: %s',
  { timeout: 60_000 },
  async ([what, links]) => {
    const trap = await setTrap([])
    const { folder, outside } = trap
    const valid =
      '[store]\nurl = "sqlite:kept.db"\n[tools.own]\nsource = "local"\ncommand = "true"\n'
    if (what.endsWith('configuration')) rmSync(join(folder, 'toolblocks.toml'))
    else writeFileSync(join(folder, 'toolblocks.toml'), valid)
    for (const link of links) {
      const [name = '', target = 'kept.txt'] = link.split(' -> ')
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      if (target === 'kept.txt') writeFileSync(join(outside, 'kept.txt'), valid)
      rmSync(join(folder, name), { force: true })
      symlinkSync(join(outside, target), join(folder, name))
    }
    const before = readOutside(trap)
    for (const words of [
      ['mcp', 'add', 'zz', '--', 'true', 'x'],
      ['new', 'mine', '--language', 'bash'],
      ['init'],
      ['tools'],
      ['tools', 'accept', '--all'],
      ['call', 'own'],
      ['conversations', 'list'],
      ['conversations', 'export', 'x', '--output', 'html', '--to', 'page.html', '--force'],
      ['gallery', '--output', 'html', '--to', 'page.html', '--force'],
      ['gallery', '--output', 'html', '--to', 'gallery.html'],
      ['doctor'],
    ]) {
      const { code, stderr } = await toolblocks(folder, ...words)
      // 70: the file of pins, which is the link, cannot be used.
      expect([0, 1, 2, 3, 70], `${words.join(' ')}: ${stderr}`).toContain(code)
      expect(stderr).not.toContain('toolblocks failed')
    }
    expect(readOutside(trap)).toEqual(before)
  },
)

/** Starts a program so that it writes the names of the files that it opens. */
const TRACER = fileURLToPath(new URL('../stage/trace-files.mjs', import.meta.url))

/** What SQLite opens beside a store, which no tracer of Node.js sees. */
const OF_STORE = ['kept.db-wal', 'kept.db-shm', 'kept.db-journal']

/** A folder with something for each command, and the arguments for it. */
const FULL = {
  'toolblocks.toml': `[store]
url = "sqlite:kept.db"
[tools.fine]
source = "local"
command = "echo fine"
pin = true
[model]
provider = "scripted"
`,
  'past/message/ses_1/msg_1.json': '{}',
}
const FULL_ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  ...ARGUMENTS,
  import: ['past'],
  gallery: ['--output', 'html', '--to', 'gallery.html', '--force'],
}

function writeFull(folder: string): void {
  for (const [name, text] of Object.entries(FULL)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

/** Runs commands in a folder that was agreed to. Returns the names in it that they opened, each with the commands that did. */
async function traceCommands(
  { folder, outside }: Trap,
  commands: readonly string[] = Object.keys(FULL_ARGUMENTS),
): Promise<ReadonlyMap<string, readonly string[]>> {
  const opened = new Map<string, string[]>()
  const trace = async (command: string): Promise<void> => {
    const log = join(dirname(outside), `opened by ${command}`)
    writeFileSync(log, '')
    const env = { ...process.env, NODE_OPTIONS: `--import ${TRACER}`, TRACE_FILES: log }
    const words = [...command.split(' '), ...(FULL_ARGUMENTS[command] ?? [])]
    // The page of the viewer is served until it is ended.
    if (command === 'view') {
      const viewer = startToolblocks(folder, words, env)
      await viewer.said(/ends the server/).catch(() => undefined)
      await viewer.end('SIGTERM')
    } else await run(folder, words, env)
    const paths = readFileSync(log, 'utf8')
      .split('\n')
      .filter((path) => !path.startsWith('file:'))
      .map((path) => relative(folder, resolve(folder, path)))
    for (const path of new Set(paths))
      if (path !== '' && !path.startsWith('..'))
        opened.set(path, [...(opened.get(path) ?? []), command])
  }
  for (let at = 0; at < commands.length; at += SIDE_BY_SIDE)
    await Promise.all(commands.slice(at, at + SIDE_BY_SIDE).map(trace))
  return opened
}

test('promise nothing without a yes: no command writes through a link at any name in a folder that it was seen to open', async () => {
  const traced: ReadonlyMap<string, readonly string[]>[] = []
  // A name that occurs once is random: nobody can put a link there.
  for (const each of [await setTrap([]), await setTrap([])]) {
    writeFull(each.folder)
    traced.push(await traceCommands(each))
  }
  const [one, other] = traced
  const found = [...(one ?? [])].filter(([name]) => other?.has(name))
  expect(found.map(([name]) => name)).toEqual(
    expect.arrayContaining([
      'toolblocks.toml',
      'toolblocks.lock.json',
      'kept.db',
      'gallery.html',
      'tools/mine.sh',
    ]),
  )
  const beside = OF_STORE.map((name) => [name, one?.get('kept.db') ?? []] as const)
  const trap = await setTrap([])
  const { folder, outside } = trap
  for (const [name, commands] of [...found, ...beside]) {
    rmSync(folder, { recursive: true })
    mkdirSync(folder)
    writeFull(folder)
    const path = join(folder, name)
    const target = join(outside, 'target')
    rmSync(target, { recursive: true, force: true })
    // A file keeps its content, and a folder its files, so that the command continues.
    if (existsSync(path)) cpSync(path, target, { recursive: true })
    rmSync(path, { recursive: true, force: true })
    mkdirSync(dirname(path), { recursive: true })
    symlinkSync(target, path)
    const before = readOutside(trap)
    await traceCommands(trap, commands)
    expect(readOutside(trap), name).toEqual(before)
  }
}, 300_000)

/** The files of the user beside a folder. */
function readOutside({ outside, readFiles }: Trap): readonly (readonly [string, string])[] {
  return [...readFiles()].filter(([path]) => path.startsWith(outside))
}

/** The calls of a model that knows these tools, and all others. */
const CALLS = Array.from({ length: 40 }, (_, index): readonly [string, object] => [
  `h${index + 1}`,
  index + 1 === 7 ? { action: 'spawn' } : {},
])

/**
 * Starts the model of the user's own settings, which calls every tool that the folder may have. Returns a function that lists the tools in its
 * requests.
 */
async function startOwnModel(): Promise<() => readonly string[]> {
  const { url, requests } = await startProvider((messages) =>
    hasResults(messages) ? { text: 'Done.' } : { calls: CALLS },
  )
  const folder = join(process.env['XDG_CONFIG_HOME'] ?? '', 'toolblocks')
  mkdirSync(folder, { recursive: true })
  const model = `[model]\nprovider = "openai-compatible"\nname = "own"\nbase_url = "${url}"\n`
  writeFileSync(join(folder, 'config.toml'), model)
  return () => requests.flatMap(({ tools }) => Array.from(Object(tools ?? []), nameOfTool))
}

function nameOfTool(tool: unknown): string {
  return String(Reflect.get(Object(Reflect.get(Object(tool), 'function')), 'name'))
}

describe('alone', () => {
  test.for(Object.entries(HOSTILE_FOLDERS))('%s has no effect', async ([, hostile]) => {
    const told = await startOwnModel()
    const trap = await setTrap([hostile])
    const before = trap.readFiles()
    // All other folders run with every command in the test above. Folders that cannot be combined with others are served here.
    const ran = await Promise.all<Ran>([
      withoutTrust(trap.folder, 'run', 'hello'),
      withoutTrust(trap.folder, 'call', 'fine'),
      ...(hostile.isAlone ? [withoutTrust(trap.folder, 'serve')] : []),
    ])
    expectUntouched(trap, before)
    expect(told().filter((name) => /^h\d/.test(name))).toEqual([])
    for (const { code, stderr } of ran) {
      expect([0, 2, 3]).toContain(code)
      expect(stderr).not.toContain('toolblocks failed')
    }
  })

  test('a configuration in a folder above that everybody can write to is not read', async () => {
    const trap = await setTrap([
      {
        toml: ({ outside }) => `[tools.h]\nsource = "local"\ncommand = ["touch", "${outside}/h"]\n`,
      },
    ])
    mkdirSync(`${trap.folder}/below`)
    chmodSync(trap.folder, 0o777)
    const before = trap.readFiles()
    const { code, stderr } = await toolblocks(`${trap.folder}/below`, 'tools')
    expectUntouched(trap, before)
    expect(code).toBe(2)
    expect(stderr).toMatch(/may be written by every user of this machine[^]*safe_folders = \["/)
  })
})
