import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { expect, test, vi } from 'vitest'
import { startToolblocks } from '../stage/command.ts'
import { makeFolder } from '../stage/folder.ts'
import {
  connectClient,
  connectOverHttp,
  connectStateless,
  serveOverHttp,
} from '../stage/mcp-client.ts'
import { createServerProgram } from '../stage/mcp-server.ts'

const TOOLS = [{ name: 'list', inputSchema: { type: 'object' } }]
const answering = (text: string): string =>
  createServerProgram(TOOLS, `return { content: [{ type: 'text', text: '${text}' }] }`)

/** Stands before a program that says nothing until the file `go` is in its folder, and then runs on, or ends if it says `fail` (`fail once`: and removes it). */
const WAIT = `
import { existsSync, readFileSync, rmSync } from 'node:fs'
while (!existsSync('go')) await new Promise((done) => setTimeout(done, 20))
const word = readFileSync('go', 'utf8')
if (word === 'fail once') rmSync('go')
if (word.startsWith('fail')) process.exit(3)
`
const FILES = { 'quick.mjs': answering('of quick'), 'late.mjs': WAIT + answering('of late') }

const server = (name: string): readonly string[] => [
  '--server',
  `${name}=${process.execPath} ${name}.mjs`,
]
const ARGS = [...server('late'), ...server('quick'), '--start-wait', '1', '--no-record']

const CONFIGURATION = ['late', 'quick']
  .map(
    (name) =>
      `[mcp.servers.${name}]\ncommand = ${JSON.stringify(process.execPath)}\nargs = ["${name}.mjs"]\nrun = "unattended"\n`,
  )
  .join('\n')

const PATIENCE = { timeout: 20_000, interval: 100 }

/** Expects that only the quick server is offered, lets the late one start, and expects both. */
async function meetLateServer(client: Client, folder: string): Promise<void> {
  let changed = 0
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void (changed += 1))
  // On a slow machine the quick server needs longer than the lists wait, too.
  const { tools, _meta: meta } = await vi.waitFor(async () => {
    const listed = await client.listTools()
    expect(listed.tools.map(({ name }) => name)).toContain('quick__list')
    return listed
  }, PATIENCE)
  expect(tools.map(({ name }) => name)).not.toContain('late__list')
  expect(meta).toEqual({
    'toolblocks/warnings': [
      { path: '', message: 'The server "late" is still starting. Its tools come later.' },
    ],
  })
  await expect(client.callTool({ name: 'late__list' })).rejects.toThrow(
    'Unknown tool: late__list; still starting: "late"',
  )
  expect(JSON.stringify(await client.callTool({ name: 'quick__list' }))).toContain('of quick')
  expect(await client.listPrompts()).toMatchObject({ prompts: [] })
  const before = changed
  writeFileSync(join(folder, 'go'), '')
  await vi.waitFor(() => expect(changed).toBeGreaterThan(before), PATIENCE)
  const both = await client.listTools()
  expect(both.tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['late__list', 'quick__list']),
  )
  expect(both._meta).toBeUndefined()
  expect(JSON.stringify(await client.callTool({ name: 'late__list' }))).toContain('of late')
}

test.for([
  ['that was typed', FILES, ARGS],
  ['of a workspace', { ...FILES, 'toolblocks.toml': CONFIGURATION }, ['--start-wait', '1']],
] as const)(
  'promise slow servers: a server %s and still starts delays neither the first answer nor the tools of others',
  async ([, files, args]) => {
    const folder = makeFolder(files)
    const client = await connectClient(folder, ['serve', ...args])
    expect(client.getServerCapabilities()).toMatchObject({ prompts: {}, resources: {} })
    await meetLateServer(client, folder)
  },
)

test('promise slow servers: the same holds over HTTP, for each client', async () => {
  const folder = makeFolder(FILES)
  const served = await serveOverHttp(folder, ARGS)
  const [first, second] = [await connectOverHttp(served), await connectOverHttp(served)]
  await meetLateServer(first, folder)
  await vi.waitFor(async () => {
    const { tools } = await second.listTools()
    expect(tools.map(({ name }) => name)).toContain('late__list')
  }, PATIENCE)
})

test.for([
  ['of a session', connectOverHttp, 'starts slowly'],
  ['of a session', connectOverHttp, 'fails at first'],
  ['without sessions', connectStateless, 'starts slowly'],
] as const)(
  'promise slow servers: a call of a client %s waits for its own server if its tools are known: one that $2',
  async ([, connect, how]) => {
    const folder = makeFolder({ ...FILES, go: '' })
    const args = [...server('late'), '--start-wait', '1', '--no-record']
    const served = await serveOverHttp(folder, args)
    const earlier = await connectOverHttp(served)
    await vi.waitFor(async () => {
      const { tools } = await earlier.listTools()
      expect(tools.map(({ name }) => name)).toEqual(['list'])
    }, PATIENCE)
    // From now on, each client has a program that starts slowly.
    rmSync(join(folder, 'go'))
    if (how === 'fails at first') writeFileSync(join(folder, 'go'), 'fail once')
    const [first, second] = [await connect(served), await connect(served)]
    const calling = first.callTool({ name: 'list', arguments: {} })
    let state = 'waiting'
    const settle = (end: unknown): void => {
      state = String(end)
    }
    calling.then(() => settle('answered'), settle)
    await vi.waitFor(() => expect(existsSync(join(folder, 'go'))).toBe(false), PATIENCE)
    // Afterwards the time that a list waits, and a call of an unknown tool, is over for the first one, too.
    await (await connect(served)).listTools()
    const { tools, _meta: meta } = await second.listTools()
    expect([tools, JSON.stringify(meta)]).toEqual([[], expect.stringContaining('still starting')])
    await expect(second.callTool({ name: 'nothing', arguments: {} })).rejects.toThrow(
      'Unknown tool',
    )
    expect(state).toBe('waiting')
    writeFileSync(join(folder, 'go'), '')
    expect(JSON.stringify(await calling)).toContain('of late')
  },
)

test('promise slow servers: lists wait for a server that needs less than the time', async () => {
  const folder = makeFolder({ ...FILES, go: '' })
  const client = await connectClient(folder, ['serve', ...ARGS, '--start-wait', '60'])
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['late__list', 'quick__list'])
})

test('promise slow servers: a server that fails later is reported, and the connection ends if there is no other one', async () => {
  const folder = makeFolder({ 'late.mjs': FILES['late.mjs'] })
  const args = ['serve', ...server('late'), '--start-wait', '1', '--no-record']
  const client = await connectClient(folder, args)
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a client has no other way
  client.onclose = resolve
  const running = startToolblocks(folder, [...args, '--http', '0'])
  await running.said(/Bearer/)
  writeFileSync(join(folder, 'go'), 'fail')
  await closed
  await running.said(/MCP server "late" could not be connected: the program ended with code 3/)
  expect(await running.end('SIGCONT')).toBe(2)
})

test.each([
  ['the only server fails', ['--server', `"${process.execPath}" late.mjs`]],
  ['the configuration is wrong', ['--config', 'wrong.toml']],
  ['an option is wrong', ['--server', `"${process.execPath}" late.mjs`, '--timeout', '0']],
])(
  'promise slow servers: over standard streams, serve ends at once if %s, though the input of its client is open',
  async (_case, args) => {
    const folder = makeFolder({ 'late.mjs': 'process.exit(3)', 'wrong.toml': '[tools.x' })
    await expect(connectClient(folder, ['serve', ...args])).rejects.toThrow('Connection closed')
  },
)

test('promise slow servers: a server that fails at once is reported, and the others are served', async () => {
  const folder = makeFolder({ ...FILES, 'late.mjs': 'process.exit(3)' })
  const args = ['serve', ...ARGS, '--start-wait', '60', '--policy', 'late__list=ask']
  const client = await connectClient(folder, args)
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['quick__list'])
  expect(JSON.stringify(await client.callTool({ name: 'quick__list' }))).toContain('of quick')
  const running = startToolblocks(folder, [...args, '--http', '0'])
  await running.said(/MCP server "late" could not be connected: the program ended with code 3/)
  await running.said(/--policy: the servers have no tool "late__list"/)
  await running.said(/Bearer/)
  expect(await running.end('SIGTERM')).not.toBe(2)
})
