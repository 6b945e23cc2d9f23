import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatCommand } from '@toolblocks/local-executor/internal'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { CommandContext } from '../../terminal/command-context.ts'
import { NOTES } from '../../workspace/servers/workspace.support.ts'
import {
  type ConnectionOptions,
  openTypedServers,
  type OpenedTypedServers,
} from './open-typed-servers.ts'
import { createContext } from './command-context.support.ts'
import type { TypedServerOptions } from './serve-options.ts'

type Opened = Extract<OpenedTypedServers, { ok: true }>

const COMMAND = formatCommand([NOTES.command, ...NOTES.args])
const PATIENT = { hooks: () => ({}), onChange: () => undefined }
/** A program that ends at once. */
const GONE = `${process.execPath} -e 0`

async function open(
  context: CommandContext,
  options: TypedServerOptions = {},
  connections: ConnectionOptions = PATIENT,
): Promise<Opened> {
  const opened = await openTypedServers(context, { server: [COMMAND], ...options }, connections)
  if (!opened.ok) throw new Error(`ended with ${opened.code}`)
  onTestFinished(async () => await opened.close())
  return opened
}

const getOffered = (entries: Opened['entries']): string[] =>
  entries.map(({ tool, policy }) => `${tool.name}: ${policy}`)

/** Whether the server that wrote the file is a process. */
function runs(pidFile: string): boolean {
  try {
    return process.kill(Number(readFileSync(pidFile, 'utf8')), 0)
  } catch {
    return false
  }
}

test('the tools of one server have its names, and the policy of --policy', async () => {
  const { context } = createContext()
  const opened = await open(context, { policy: ['sign=ask'] })
  expect(getOffered(opened.entries)).toEqual([
    'read: unattended',
    'sign: ask',
    'list: unattended',
    'folder: unattended',
  ])
  expect(getOffered(await opened.renew())).toContain('sign: ask')
  const own = await opened.openClient(PATIENT)
  onTestFinished(async () => await own.close())
  expect(getOffered(own.entries)).toContain('sign: ask')
})

test.for([
  [[COMMAND], { policy: ['signs=ask'] }, 'the servers have no tool "signs"'],
  [[`notes=${COMMAND}`, `gone=${GONE}`], {}, 'gone'],
] as const)(
  'servers that cannot be served have ended when the command does: %j',
  async ([server, options, why]) => {
    const { context, folder, readStderr } = createContext()
    const pidFile = join(folder, 'pid')
    const env = [`PID_FILE=${pidFile}`]
    const opened = await openTypedServers(
      context,
      { server: [...server], ...options, env },
      PATIENT,
    )
    expect(opened).toEqual({ ok: false, code: 2 })
    expect(readStderr()).toContain(why)
    expect([existsSync(pidFile), runs(pidFile)]).toEqual([true, false])
  },
)

test('a server that fails, fails alone for clients, once for all of them, and a policy for its tool is only a warning', async () => {
  const { context, readStderr } = createContext()
  const connections = { ...PATIENT, patienceMs: 60_000 }
  const server = [`notes=${COMMAND}`, `gone=${GONE}`]
  const opened = await open(context, { server, policy: ['gone__read=ask'] }, connections)
  expect(opened.names).toEqual(['notes', 'gone'])
  expect(opened.servers.map(({ name }) => name)).toEqual(['notes'])
  const text = readStderr()
  expect(text).toMatch(/^error: --server gone: /m)
  expect(text).toMatch(/warning: --policy: the servers have no tool "gone__read"/)
  await opened.renew()
  const own = await opened.openClient(connections)
  onTestFinished(async () => await own.close())
  expect(readStderr()).toBe('')
})

test('a tool whose definition has changed is offered to nobody until it is accepted, and is reported once', async () => {
  const { context, readStderr } = createContext()
  const says = { env: ['SAYS'] }
  vi.stubEnv('SAYS', 'Reads a note.')
  expect(getOffered((await open(context, says)).entries)).toHaveLength(4)
  vi.stubEnv('SAYS', 'Reads all files.')
  const after = await open(context, says)
  const RECORDED = ['sign', 'list', 'folder'].map((name) => `${name}: unattended`)
  expect(getOffered(after.entries)).toEqual(RECORDED)
  expect(readStderr()).toContain('"toolblocks serve … --accept" accepts the definitions')
  expect(getOffered(await after.renew())).toEqual(RECORDED)
  const own = await after.openClient(PATIENT)
  onTestFinished(async () => await own.close())
  expect(getOffered(own.entries)).toEqual(RECORDED)
  expect(readStderr()).toBe('')
  expect(getOffered((await open(context, { ...says, pin: false })).entries)).toHaveLength(4)
  expect(getOffered((await open(context, { ...says, accept: true })).entries)).toHaveLength(4)
  expect(getOffered((await open(context, says)).entries)).toHaveLength(4)
})

test('options shape the tools of a server', async () => {
  const { context } = createContext()
  const opened = await open(context, {
    select: ['read=a', 'read=b/*'],
    fix: ['read.path=a.md'],
    rename: ['read=look'],
    describe: ['read=Looks. {{description}}'],
    policy: ['read=ask'],
  })
  const [look] = opened.entries
  expect(look).toMatchObject({
    tool: { name: 'look', description: 'Looks. Reads a note.', inputSchema: { properties: {} } },
    policy: 'ask',
    shape: { fixed: { path: 'a.md' }, select: ['/a', '/b/*'] },
  })
  const own = await opened.openClient(PATIENT)
  onTestFinished(async () => await own.close())
  expect(own.entries[0]).toMatchObject({ tool: { name: 'look' }, policy: 'ask', shape: {} })
})

test.for<[TypedServerOptions, string]>([
  [
    { select: ['raed=a'] },
    '--select "raed": the server "notes_server_support" has no tool "raed"; did you mean "read"?',
  ],
  [{ fix: ['read.pth=a'] }, '--fix "read": the tool has no argument "pth"; expected one of path'],
  [{ fix: ['read.path=7'] }, '--fix "read": '],
  [{ hide: ['read.path'] }, '--hide "read": the tool requires the argument "path"'],
  [{ fix: ['read'] }, '--fix "read": expected TOOL.ARGUMENT=VALUE'],
  [{ hide: ['read'] }, '--hide "read": expected TOOL.ARGUMENT'],
  [{ select: ['read'] }, '--select "read": expected TOOL=PATH'],
  [{ rename: ['read=a b'] }, '--rename "read=a b": expected TOOL=NAME'],
  [{ describe: ['read'] }, '--describe "read": expected TOOL=TEXT'],
  [{ rename: ['read=sign'] }, '--rename "read": a tool is named sign already'],
  [{ rename: ['read=x', 'sign=x'] }, '--rename: two tools are named "x"'],
])('options that fit no tool are refused: %j', async ([options, why]) => {
  const { context, readStderr } = createContext()
  const opened = await openTypedServers(context, { server: [COMMAND], ...options }, PATIENT)
  expect(opened).toEqual({ ok: false, code: 2 })
  expect(readStderr()).toContain(why)
})

test('a tool of one of several servers is named with its server', async () => {
  const { context, readStderr } = createContext()
  const server = [`a=${COMMAND}`, `b=${COMMAND}`]
  const opened = await open(context, { server, fix: ['b__read.path=a'], rename: ['a__read=first'] })
  expect(getOffered(opened.entries)).toContain('first: unattended')
  expect(opened.entries.find(({ tool }) => tool.name === 'b__read')).toHaveProperty('shape')
  const refused = await openTypedServers(context, { server, hide: ['read.path'] }, PATIENT)
  expect(refused).toEqual({ ok: false, code: 2 })
  expect(readStderr()).toContain('--hide "read": expected a__TOOL or b__TOOL')
})
