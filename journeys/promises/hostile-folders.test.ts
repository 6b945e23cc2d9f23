import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hasResults, startProvider } from '../stage/provider.ts'
import { createQueue } from '@toolblocks/protocol/internal'
import { HOSTILE_FOLDERS, setTrap, type Trap } from './hostile-folders.support.ts'
import {
  type FullFolder,
  makeFullFolder,
  type PlantedLink,
  readOutside,
  runWithLink,
  traceCommand,
  type TracedCommand,
  writeDescribed,
} from './traced-folder.support.ts'
import { NO_TRUST, type Ran, run, toolblocks, visit, withoutTrust } from '../stage/command.ts'

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
  'approvals list': [],
  'approvals allow': ['h1'],
  'approvals ask': ['h1'],
  'approvals deny': ['h1'],
  'approvals test': ['h1'],
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
  'serve logins list': [],
  'serve logins remove': ['x'],
  'serve tokens add': ['ann'],
  'serve tokens list': [],
  'serve tokens revoke': ['x'],
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
  const groups = ['conversations', 'questions', 'mcp', 'config', 'serve tokens', 'serve logins']
  const commands = [...(await listCommands(trap.folder)), 'complete']
  expect(commands.filter((name) => !groups.includes(name)).toSorted()).toEqual(
    Object.keys(ARGUMENTS).toSorted(),
  )
  const typed = Object.keys(ARGUMENTS).toSorted((a, b) => Number(b in WRITES) - Number(a in WRITES))
  for (let start = 0; start < typed.length; start += SIDE_BY_SIDE) {
    const some = typed.slice(start, start + SIDE_BY_SIDE)
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
  for (const bin of places) {
    mkdirSync(bin, { recursive: true })
    for (const name of names)
      writeFileSync(join(bin, name), `#!/bin/sh\ntouch '${trap.outside}/started'\n`, {
        mode: 0o755,
      })
  }
  const before = trap.readFiles()
  const env = {
    ...process.env,
    ...NO_TRUST,
    PATH: [...places, process.env['PATH'] ?? ''].join(':'),
  }
  for (const args of [
    ['doctor'],
    ['tools'],
    ['mcp', 'list'],
    ['new', 'mine', '--language', 'node'],
  ])
    await run(below, args, env)
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

/** Commands that write files, and the exit codes without links. */
const WRITERS: readonly (readonly [words: readonly string[], code: number])[] = [
  [['tools'], 0],
  [['tools', 'accept', '--all'], 0],
  [['call', 'own'], 0],
  [['conversations', 'list'], 0],
  [['conversations', 'export', 'latest', '--output', 'html', '--to', 'page.html', '--force'], 0],
  [['gallery', '--output', 'html', '--to', 'page.html', '--force'], 0],
  [['gallery', '--output', 'html', '--to', 'gallery.html'], 0],
  [['doctor'], 0],
  [['init'], 2],
  [['new', 'mine', '--language', 'bash'], 0],
  [['mcp', 'add', 'zz', 'true', 'x'], 0],
]

test.for([['no link', []], ...Object.entries(LINKS)] as const)(
  'promise nothing without a yes: no command writes through links of a folder, even of one that was agreed to: %s',
  { timeout: 60_000 },
  async ([what, links]) => {
    const trap = await setTrap([])
    const { folder, outside } = trap
    const valid =
      '[store]\nurl = "sqlite:kept.db"\n[tools.own]\nsource = "local"\ncommand = ["./own.sh"]\n'
    writeFileSync(join(folder, 'own.sh'), writeDescribed('own'), { mode: 0o755 })
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
    for (const [args, expected] of WRITERS) {
      const { code, stderr } = await toolblocks(folder, ...args)
      // 70: the file of pins, which is the link, cannot be used.
      const codes = links.length === 0 ? [expected] : [0, 1, 2, 3, 70]
      expect(codes, `${args.join(' ')}: ${stderr}`).toContain(code)
      expect(stderr).not.toContain('toolblocks failed')
    }
    expect(readOutside(trap)).toEqual(before)
  },
)

/** The commands that do not end with 0 in a full folder: two ask a person, and the others name what is not there. */
const CODES: Readonly<Record<string, number>> = {
  chat: 2,
  trust: 5,
  'approvals revoke': 2,
  'serve logins remove': 2,
  'serve tokens revoke': 2,
  'mcp login': 2,
  'mcp logout': 2,
}

/** Returns each command with words that give it something to do in a full folder. */
function listTraced({ question }: FullFolder): readonly (TracedCommand & { command: string })[] {
  const commandArguments: Readonly<Record<string, readonly string[]>> = {
    ...ARGUMENTS,
    'approvals allow': ['fine'],
    'approvals ask': ['fine'],
    'approvals deny': ['fine'],
    'approvals test': ['fine'],
    'conversations show': ['latest'],
    'conversations export': ['latest', '--output', 'jsonl', '--to', 'kept.jsonl', '--force'],
    'conversations compact': ['latest', '--turns', '1'],
    'conversations delete': ['latest', '--yes'],
    'questions show': [question],
    'questions answer': [question, '--yes'],
    'questions decline': [question],
    'questions withdraw': [question],
    import: ['past'],
    'mcp inspect': ['notes'],
    'mcp login': ['notes'],
    'mcp logout': ['notes'],
    gallery: ['--output', 'html', '--to', 'gallery.html', '--force'],
  }
  return Object.entries(commandArguments).map(([command, more]) => ({
    command,
    args: [...command.split(' '), ...more],
    ...(command === 'init' && { without: ['toolblocks.toml'] }),
  }))
}

test('promise nothing without a yes: no command writes through a link at any name in a folder that it was seen to open', async () => {
  const full = await makeFullFolder()
  const inTurn = createQueue(SIDE_BY_SIDE)
  const traced = await Promise.all(
    listTraced(full).map(
      async (each) => await inTurn(async () => ({ ...each, ...(await traceCommand(full, each)) })),
    ),
  )
  expect(Object.fromEntries(traced.map(({ command, code }) => [command, code]))).toEqual(
    Object.fromEntries(Object.keys(ARGUMENTS).map((command) => [command, CODES[command] ?? 0])),
  )
  // A name that no other run opens, and that is not there afterwards, may be random: nobody can put a link there.
  const isOnce = (name: string): boolean =>
    traced.filter(({ opened }) => opened.some((each) => each.name === name)).length === 1
  const doubtful = traced.filter(({ opened, folder }) =>
    opened.some(({ name }) => isOnce(name) && !existsSync(join(folder, name))),
  )
  const again = await Promise.all(
    doubtful.map(async (each) => await inTurn(async () => await traceCommand(full, each))),
  )
  const seenAgain = new Set(again.flatMap(({ opened }) => opened.map(({ name }) => name)))

  const planted = new Map<string, (typeof traced)[number] & PlantedLink>()
  const covered = new Set<string>()
  for (const each of traced)
    for (const { name, stack } of each.opened) {
      const isKnown = !isOnce(name) || existsSync(join(each.folder, name)) || seenAgain.has(name)
      // One command for each place in the program that opens the name.
      if (!isKnown || covered.has(`${name} ${stack}`)) continue
      covered.add(`${name} ${stack}`)
      for (const target of ['missing', 'existing'] as const)
        planted.set(`${target} ${name} ${each.command}`, {
          ...each,
          name,
          target,
          made: each.folder,
        })
    }
  expect([...planted.values()].map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'toolblocks.toml',
      '.mcp.json',
      'toolblocks.lock.json',
      'kept.db',
      'kept.db-wal',
      'kept.jsonl',
      'gallery.html',
      'tools',
      'tools/mine.sh',
      'tools/count-words.sh',
      'past/message/ses_1/msg_1.json',
    ]),
  )
  await Promise.all(
    [...planted].map(
      async ([what, each]) =>
        await inTurn(async () => {
          const { code, stderr, before, after } = await runWithLink(full, each, each)
          expect([0, 1, 2, 5], `${what}: ${stderr}`).toContain(code)
          expect(after, what).toEqual(before)
          expect(stderr, what).not.toContain('toolblocks failed')
        }),
    ),
  )
}, 300_000)

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
    const ownModel = await startOwnModel()
    const trap = await setTrap([hostile])
    const before = trap.readFiles()
    // All other folders run with every command in the test above. Folders that cannot be combined with others are served here.
    const ran = await Promise.all<Ran>([
      withoutTrust(trap.folder, 'run', 'hello'),
      withoutTrust(trap.folder, 'call', 'fine'),
      ...(hostile.isAlone ? [withoutTrust(trap.folder, 'serve')] : []),
    ])
    expectUntouched(trap, before)
    expect(ownModel().filter((name) => /^h\d/.test(name))).toEqual([])
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
