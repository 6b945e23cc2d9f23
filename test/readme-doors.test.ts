import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { spawn as spawnAtTerminal } from '@lydell/node-pty'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { connectEntry } from '../journeys/stage/mcp-client.ts'
import { startProvider } from '../journeys/stage/provider.ts'
import { readPage } from '../journeys/stage/view.ts'

const root = resolve(import.meta.dirname, '..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
/** The commands of the README in their order, each as it is written. */
const commands = [...readme.matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
  .flatMap(([, code = '']) => code.trim().split('\n'))
  .map((line) => line.replace(/\s+#.*$/, ''))

/** The home of a person who has just cloned the repository, with a program that stands for the browser. */
const home = mkdtempSync(join(tmpdir(), 'toolblocks-reader-'))
const bin = join(home, '.local/bin')
const environment: Record<string, string> = Object.fromEntries(
  Object.entries({
    ...process.env,
    HOME: home,
    PATH: [bin, process.env['PATH']].join(delimiter),
    XDG_CACHE_HOME: join(home, 'cache'),
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_DATA_HOME: join(home, 'data'),
    // What npx has downloaded before stays available.
    npm_config_cache: process.env['npm_config_cache'] ?? join(process.env['HOME'] ?? home, '.npm'),
    CI: '',
  }).filter((entry): entry is [string, string] => entry[1] !== undefined),
)

beforeAll(async () => {
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(home, '.npmrc'), 'prefer-offline=true\n')
  for (const name of ['xdg-open', 'open']) {
    writeFileSync(join(bin, name), '#!/bin/sh\n')
    chmodSync(join(bin, name), 0o755)
  }
  // The first command of the README puts `toolblocks` on the PATH.
  const child = start(commands[0] ?? '')
  const code = await ended(child)
  if (code !== 0) throw new Error(`The first command of the README ended with ${String(code)}.`)
}, 300_000)
afterAll(() => rmSync(home, { recursive: true, force: true }))

/** Starts a command line as the shell of a person does, in the root of the clone. */
function start(line: string, more: { cwd?: string; env?: Record<string, string> } = {}) {
  return spawn('sh', ['-c', line], {
    cwd: more.cwd ?? root,
    env: { ...environment, ...more.env },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
}

async function ended(child: ChildProcess): Promise<unknown> {
  child.stdout?.resume()
  const [code] = await once(child, 'exit')
  return code
}

/** Ends a command with all that it has started. */
async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null) return
  process.kill(-child.pid, 'SIGINT')
  await ended(child)
}

/** Types a command at a terminal, says yes to its question, and returns its exit code. */
async function typeWithYes(line: string): Promise<number> {
  const pty = spawnAtTerminal('sh', ['-c', line], { cwd: root, env: environment })
  let written = ''
  let isAnswered = false
  pty.onData((data) => {
    written += data
    if (isAnswered || !/\?.*[Nn]o/s.test(written)) return
    isAnswered = true
    // A prompt ignores Enter for 300 ms, in which nobody reads it.
    setTimeout(() => pty.write('y\r'), 400)
  })
  return await new Promise((done) => pty.onExit(({ exitCode }) => done(exitCode)))
}

/** Returns the entry that a command wrote for Claude Code. */
function readEntry(name: string): { command: string; args: string[] } {
  return JSON.parse(readFileSync(join(home, '.claude.json'), 'utf8')).mcpServers[name]
}

function findCommand(part: string): string {
  const matching = commands.filter((line) => line.includes(part))
  expect(matching).toHaveLength(1)
  return matching[0] ?? ''
}

/** Reads the first line of output that has an address. */
async function readAddress(child: ChildProcess): Promise<URL> {
  if (!child.stdout) throw new TypeError('the output is not read')
  for await (const line of createInterface(child.stdout)) {
    const [address] = /http:\/\/\S+/.exec(line) ?? []
    if (address !== undefined) return new URL(address)
  }
  throw new Error('no address was printed')
}

test('the first screen has the sentence, the reader and the first command; the README has at most 120 lines and no badge', () => {
  const first = readme.split('\n').slice(0, 9).join('\n')
  expect(first).toMatch(
    /^# Toolblocks\n\n\*\*.+\*\*\n\nA command and npm packages .+ For people who /,
  )
  expect(first).toContain(commands[0])
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(120)
  expect(readme).not.toMatch(/shields\.io|badge|OWNER/)
  expect(commands).toHaveLength(8)
})

test('the second command: a page shows the demo, and what the model receives', async () => {
  const child = start(findCommand('toolblocks demo'))
  onTestFinished(async () => await end(child))
  expect(await readPage(await readAddress(child))).toContain('what the model received')
})

test('my script in any host: the host gets the script as a tool', async () => {
  expect(await typeWithYes(findCommand('git-status.py'))).toBe(0)
  const client = await connectEntry(readEntry('git_status'), root, 'claude-code')
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['git_status'])
  const { content } = await client.callTool({ name: 'git_status', arguments: {} })
  expect(JSON.stringify(content)).toContain('Changed: ')
})

test('one safe line before any MCP server: the host gets its tools', async () => {
  expect(await typeWithYes(findCommand('--server'))).toBe(0)
  // npx finds the server here without a registry.
  const folder = join(root, 'packages/mcp-bridge')
  const client = await connectEntry(readEntry('server_memory'), folder, 'claude-code')
  const result = await client.callTool({ name: 'read_graph', arguments: {} })
  expect(JSON.stringify(result.content)).toContain('entities')
}, 180_000)

test('my AI SDK or React app: the chat serves its page, and a model answers in it', async () => {
  const provider = await startProvider([{ text: 'Seven.' }])
  const child = start(findCommand('pnpm@12.21.0 example'), {
    env: { MODEL_URL: provider.url, PORT: '0' },
  })
  onTestFinished(async () => await end(child))
  const address = await readAddress(child)
  expect(await (await fetch(address)).text()).toContain('<script')
  const messages = [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'How many?' }] }]
  const answer = await fetch(new URL('chat', address), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: 'lamps', messages }),
  })
  expect(await answer.text()).toContain('Seven.')
}, 180_000)

test("read any agent's session: the page has its conversation", async () => {
  const child = start(findCommand('toolblocks view'))
  onTestFinished(async () => await end(child))
  const address = await readAddress(child)
  expect(await readPage(address)).toContain('How many lamps are lit?')
})

test('set up a folder: init and doctor succeed in an empty folder', async () => {
  const folder = join(home, 'my-tools')
  mkdirSync(folder)
  expect(await ended(start(findCommand('toolblocks init'), { cwd: folder }))).toBe(0)
  expect(await ended(start(findCommand('toolblocks doctor'), { cwd: folder }))).toBe(0)
})
