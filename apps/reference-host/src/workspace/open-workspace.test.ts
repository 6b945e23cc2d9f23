import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { CommandContext } from '../terminal/command-context.ts'
import { loadConfiguration } from './configuration/load-configuration.ts'
import { createTerminal } from '../terminal/terminal.ts'
import type { WantedPart } from './consent/want-sources.ts'
import { agreeToWritten } from './consent/decisions.ts'
import { openWorkspace, type Workspace, type WorkspaceOptions } from './open-workspace.ts'

const TOML = `[tools.plain]
source = "local"
command = "cat"
parameters = {}
format_arguments = true
questions.sure.answer = true
[tools.other]
source = "local"
command = "cat"
parameters = {}
[tools.look]
source = "mcp.notes.read"
questions.sure.answer = true
[tools.sign]
source = "mcp.notes.sign"
[mcp.servers.notes]
command = "cat"
[mcp.servers.more]
command = "cat"
[format]
resource_header = "none"
[deduplication]
min_bytes = 7
[budget]
per_turn = 9000
[store]
url = "sqlite:kept.db"
[model]
provider = "anthropic"
name = "m"
[agents.reviewer]
summary = "Reviews."
[agents.writer]
summary = "Writes."
`

/** Creates a user's folder with this configuration, and the context of a command in it. No environment variable agrees to anything. */
function open(file = 'toolblocks.toml'): {
  folder: string
  context: CommandContext
  readStderr(): string
} {
  const own = realpathSync(mkdtempSync(join(tmpdir(), 'toolblocks-workspace-')))
  onTestFinished(() => rmSync(own, { recursive: true }))
  vi.stubEnv('XDG_CONFIG_HOME', join(own, 'config'))
  vi.stubEnv('TOOLBLOCKS_TRUST', '')
  onTestFinished(() => void vi.unstubAllEnvs())
  writeFileSync(join(own, file), TOML)
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- streams that are no terminal
  const terminal = createTerminal({ stdin, stdout, stderr, env: {} } as never)
  const context: CommandContext = {
    terminal,
    command: 'toolblocks',
    folder: own,
    signal: new AbortController().signal,
    readText: async () => '',
    interrupt: () => {},
  }
  return { folder: own, context, readStderr: () => String(stderr.read() ?? '') }
}

async function readWorkspace(
  context: CommandContext,
  options: WorkspaceOptions = {},
): Promise<Workspace> {
  const opened = await openWorkspace(context, options)
  if (!opened.ok) throw new Error(`ended with ${opened.code}`)
  return opened.workspace
}

async function agree(context: CommandContext, ...parts: readonly WantedPart[]): Promise<void> {
  const loaded = await loadConfiguration(context.folder, undefined)
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  await agreeToWritten(context, loaded.configuration, (part) => parts.includes(part))
}

/** Returns the values of each section that reach a command. */
function reached({ configuration, servers }: Workspace): object {
  const { tools, mcp, store, model, agents, format, deduplication, budget } = configuration
  return {
    tools: Object.keys(tools),
    mcp: Object.keys(mcp.tools),
    servers: servers.map(({ name, waiting }) => [name, waiting]),
    store: store?.url,
    model: model?.provider,
    agents: Object.keys(agents),
    rest: [format, deduplication, budget].map((each) => Object.values(each)),
  }
}

const REST = [['none'], [7], [9000]]
const NOTHING = { tools: [], mcp: [], servers: [], agents: [], rest: REST }

test('parts with agreement reach a command, and no others; parts without an effect beyond the folder always do', async () => {
  const { context, folder } = open()
  expect(reached(await readWorkspace(context))).toEqual(NOTHING)
  await agree(context, 'tool plain', 'tool look', 'server notes', 'agent reviewer')
  const some = await readWorkspace(context)
  expect(reached(some)).toEqual({
    ...NOTHING,
    tools: ['plain'],
    mcp: ['look'],
    servers: [['notes', ['sign']]],
    agents: ['reviewer'],
  })
  expect(some.configuration).toMatchObject({
    file: join(folder, 'toolblocks.toml'),
    root: folder,
    tools: { plain: { command: 'cat', format_arguments: true } },
    mcp: { servers: { notes: { command: 'cat' } } },
  })
  expect(some.configuration.locate({ path: ['budget'], message: 'm' }).line).toBe(24)
  expect(some.isAgreed('tool plain')).toBe(true)
  expect(some.isAgreed('tool other')).toBe(false)
  expect(some.listWants(['tool plain', 'server more']).map(({ part }) => part)).toEqual([
    'tool plain',
    'tool plain',
    'server more',
  ])
  expect(Object.keys(some.written.configuration.tools)).toEqual(['plain', 'other'])
  expect(some.written.servers.map(({ name }) => name)).toEqual(['notes', 'more'])
  await agree(context, 'model', 'store')
  expect(reached(await readWorkspace(context))).toMatchObject({
    store: 'sqlite:kept.db',
    model: 'anthropic',
  })
})

test('--trust agrees to everything, of the file that --config names', async () => {
  const { context } = open('other.toml')
  const whole = await readWorkspace(context, { config: 'other.toml', trust: true })
  expect(reached(whole)).toEqual({
    tools: ['plain', 'other'],
    mcp: ['look', 'sign'],
    servers: [
      ['notes', []],
      ['more', []],
    ],
    store: 'sqlite:kept.db',
    model: 'anthropic',
    agents: ['reviewer', 'writer'],
    rest: REST,
  })
})

test('a person who names a tool gets it and no other, and it is not started for another reason', async () => {
  const { context } = open()
  const named = await readWorkspace(context, { named: ['plain'] })
  expect(reached(named)).toEqual({
    ...NOTHING,
    tools: ['plain'],
    servers: [
      ['notes', ['read', 'sign']],
      ['more', []],
    ],
  })
  expect(named.configuration.tools['plain']).toMatchObject({
    command: 'cat',
    format_arguments: false,
  })
  expect(named.configuration.tools['plain']).not.toHaveProperty('questions')
  const { configuration } = await readWorkspace(context, { named: ['look'] })
  expect(configuration.mcp.tools['look']).not.toHaveProperty('questions')
  await agree(context, 'tool plain')
  const agreed = await readWorkspace(context, { named: ['plain', 'look'] })
  expect(agreed.configuration.tools['plain']).toMatchObject({
    format_arguments: true,
    questions: { sure: { answer: true } },
  })
  expect(agreed.servers[0]?.waiting).toEqual(['sign'])
})

test('an error ends with wrong usage, and a cancelled command opens nothing', async () => {
  const { context, folder, readStderr } = open()
  expect(await openWorkspace(context, { config: 'gone.toml' })).toEqual({ ok: false, code: 2 })
  expect(readStderr()).toContain('gone.toml')
  const ended = { ...context, signal: AbortSignal.abort() }
  expect(await openWorkspace(ended, {})).toEqual({ ok: false, code: 130 })
  writeFileSync(join(folder, '.mcp.json'), '{')
  await openWorkspace(context, {})
  expect(readStderr()).toContain('the file is ignored')
})
