import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startProgram } from '@toolblocks/local-executor'
import { expect, onTestFinished, test, vi } from 'vitest'
import { connectServer } from '../connect-server.ts'
import type { ServerTransport } from '../client/server-config.ts'
import { call, connect, firstText } from '../testing/servers.support.ts'

type StdioTransport = Extract<ServerTransport, { kind: 'stdio' }>

const ODD = fileURLToPath(new URL('../testing/odd-server.support.ts', import.meta.url))

// Only Linux has the program setsid, and shows the processes with the marker of a run.
const isOffLinux = process.platform !== 'linux'

function makeFolder(): { root: string; read: (name: string) => string } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'toolblocks-program-')))
  onTestFinished(() => rmSync(root, { recursive: true }))
  return {
    root,
    read: (name) => {
      try {
        return readFileSync(join(root, name), 'utf8')
      } catch {
        return ''
      }
    },
  }
}

function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** A server behind a wrapper that has started a process in another process group. */
const WRAPPED = `setsid sh -c 'echo $$ > left; exec sleep 60' > /dev/null 2>&1 &
  echo $$ > own; until [ -s left ]; do sleep 0.01; done; exec "$1" "$2"`

const wrappedIn = (cwd: string): StdioTransport => ({
  kind: 'stdio',
  command: 'sh',
  args: ['-c', WRAPPED, 'sh', process.execPath, ODD],
  cwd,
})

test('without a function that starts programs, connecting says what to pass', async () => {
  const transport = { kind: 'stdio', command: process.execPath, args: [ODD] } as const
  await expect(connectServer({ name: 'odd', transport })).rejects.toMatchObject({
    name: 'McpServerError',
    code: 'not-started',
    message:
      'MCP server "odd" could not be connected: it is a program, and connectServer has no startProgram',
    fix: 'Pass it: connectServer(config, hooks, { startProgram }), with startProgram of @toolblocks/local-executor.',
  })
})

test('a program of the working folder is not started by its bare name, with any PATH', async () => {
  const { root, read } = makeFolder()
  const own = join(root, 'own-server')
  writeFileSync(own, '#!/bin/sh\necho > taken\n')
  chmodSync(own, 0o755)
  for (const path of ['.', `:${process.env['PATH']}`]) {
    const transport = {
      kind: 'stdio',
      command: 'own-server',
      cwd: root,
      env: { PATH: path },
    } as const
    await expect(connect({ name: 'x', transport })).rejects.toMatchObject({
      code: 'not-started',
      message: expect.stringMatching(
        /could not be connected: There is no program "own-server" in PATH[:,] .*such as \.\/own-server/,
      ),
    })
  }
  expect(read('taken')).toBe('')
  const transport = { kind: 'stdio', command: './own-server', cwd: root } as const
  await expect(connect({ name: 'x', transport })).rejects.toMatchObject({ code: 'not-started' })
  expect(read('taken')).toBe('\n')
})

test.for([
  [
    'whose folder is missing',
    { cwd: '/no/such/folder' },
    'The working folder /no/such/folder is not a directory',
  ],
  [
    'that may not be executed',
    { command: import.meta.filename },
    `${import.meta.filename} is not executable: chmod +x it`,
  ],
  [
    'that ends at once',
    { command: 'sh', args: ['-c', 'echo no licence >&2; exit 2'] },
    'the program ended with code 2; it said "no licence"',
  ],
] as const)('a program %s gives the reason', async ([, transport, reason]) => {
  const connecting = connect({
    name: 'x',
    transport: { kind: 'stdio', command: process.execPath, ...transport },
  })
  await expect(connecting).rejects.toMatchObject({
    code: 'not-started',
    message: `MCP server "x" could not be connected: ${reason}`,
  })
})

test('if the function that starts programs fails, its message is the reason', async () => {
  const transport = { kind: 'stdio', command: 'x' } as const
  const startNothing = async (): Promise<never> => await Promise.reject(new Error('no library'))
  await expect(
    connectServer({ name: 'x', transport }, {}, { startProgram: startNothing }),
  ).rejects.toMatchObject({
    code: 'not-started',
    message: 'MCP server "x" could not be connected: no library',
  })
})

test('a program that is cancelled while it is being started is ended when it runs', async () => {
  const { root } = makeFolder()
  const transport = { kind: 'stdio', command: 'sh', args: ['-c', 'sleep 60'], cwd: root } as const
  const ending = new AbortController()
  const pids: number[] = []
  const connecting = connectServer(
    { name: 'x', transport },
    {},
    {
      signal: ending.signal,
      startProgram: async (plan) => {
        ending.abort()
        await new Promise((resolve) => setTimeout(resolve, 50))
        const started = await startProgram(plan)
        if (started.ok) pids.push(started.program.pid)
        return started
      },
    },
  )
  await expect(connecting).rejects.toMatchObject({ code: 'closed' })
  expect(pids).toHaveLength(1)
  expect(pids.some(isRunning)).toBe(false)
})

test('a program that ends after its input has ended receives no signal', async () => {
  const { root, read } = makeFolder()
  const server = await connect({
    name: 'odd',
    transport: {
      kind: 'stdio',
      command: 'sh',
      // What a program does last, such as writing its state.
      args: ['-c', '"$1" "$2"; sleep 0.2; echo saved > state', 'sh', process.execPath, ODD],
      cwd: root,
    },
  })
  await server.close()
  expect(read('state')).toBe('saved\n')
})

test('a server receives the variables of tools and its own, and no token of the host', async () => {
  const { root, read } = makeFolder()
  vi.stubEnv('MY_TOKEN', 'secret')
  vi.stubEnv('HTTPS_PROXY', 'http://proxy:3128')
  vi.stubEnv('SSL_CERT_FILE', '/ca.pem')
  onTestFinished(() => void vi.unstubAllEnvs())
  const args = ['-c', 'env > env; exit 1']
  const transport = { kind: 'stdio', command: 'sh', args, cwd: root, env: { OWN: 'yes' } } as const
  await expect(connect({ name: 'x', transport })).rejects.toThrow('ended with code 1')
  const lines = read('env').split('\n')
  expect(lines).toEqual(
    expect.arrayContaining(['HTTPS_PROXY=http://proxy:3128', 'SSL_CERT_FILE=/ca.pem', 'OWN=yes']),
  )
  expect(read('env')).not.toContain('MY_TOKEN')
})

test.skipIf(isOffLinux)(
  'closing ends a server and the processes that it started in another group',
  async () => {
    const { root, read } = makeFolder()
    const server = await connect({ name: 'odd', transport: wrappedIn(root) })
    const pids = ['own', 'left'].map((name) => Number(read(name)))
    expect(pids.every(isRunning)).toBe(true)
    await server.close()
    // A killed process takes a moment to disappear.
    await vi.waitUntil(() => !pids.some(isRunning), 2000)
  },
)

test.skipIf(isOffLinux)(
  'the last answer is read, although this process notices the end of the server first and cannot run for a while then',
  async () => {
    const { root, read } = makeFolder()
    const server = await connect({
      name: 'odd',
      transport: { kind: 'stdio', command: process.execPath, args: [ODD] },
    })
    const answered = call(server, 'answer-at-signal', { file: join(root, 'pid') })
    await vi.waitUntil(() => read('pid') !== '', 50_000)
    const other = spawn('sh', ['-c', 'read line; echo "$line"'], {
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    other.stdout.once('data', () => {
      process.kill(Number(read('pid')), 'SIGUSR2')
      // The server answers and ends meanwhile. Its end is noticed before its output is read, because it came with that of the other program.
      block(1000)
    })
    other.once('exit', () => block(1000))
    other.stdin.end('go\n')
    block(500)
    expect(firstText(await answered)).toBe('all of it')
  },
)

const ANSWER = `{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"all of it"}]}}`

test.skipIf(isOffLinux).for([
  ['the time limit of the call', '', `${ANSWER}\n`],
  ['the wait after a line that seems to be the answer', "{'id': ID}\n", `${ANSWER}\n`],
  ['the wait for the end of its line', ANSWER, '\n'],
])(
  'an answer that came in time is read, although this process could not run until this was over: %s',
  async ([, first, rest]) => {
    const { root, read } = makeFolder()
    const server = await connect({
      name: 'odd',
      transport: { kind: 'stdio', command: process.execPath, args: [ODD] },
      timeoutMs: 1500,
    })
    const answered = call(server, 'rest-at-signal', { file: join(root, 'pid'), first, rest })
    await vi.waitUntil(() => read('pid') !== '', 50_000)
    // What is due after this is due before anything is read.
    setImmediate(() => {
      process.kill(Number(read('pid')), 'SIGUSR2')
      block(1600)
    })
    expect(firstText(await answered)).toBe('all of it')
  },
)

/** Blocks this process. */
function block(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

test.skipIf(isOffLinux)('processes that an ended server left are killed', async () => {
  const { root, read } = makeFolder()
  const server = await connect({ name: 'odd', transport: wrappedIn(root) })
  const left = Number(read('left'))
  expect(firstText(await call(server, 'crash'))).toContain('the program ended with code 3')
  await vi.waitUntil(() => !isRunning(left), 10_000)
})

test.skipIf(isOffLinux)(
  'when the host is killed, its server and the processes that it started in another group are gone',
  async () => {
    const { root, read } = makeFolder()
    const file = join(root, 'host.mjs')
    const door = import.meta.resolve('@toolblocks/local-executor')
    const bridge = new URL('../connect-server.ts', import.meta.url).href
    writeFileSync(
      file,
      `import { startProgram } from '${door}'
      import { connectServer } from '${bridge}'
      const transport = ${JSON.stringify(wrappedIn(root))}
      await connectServer({ name: 'odd', transport }, {}, { startProgram })
      console.log('connected')`,
    )
    const host = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void host.kill('SIGKILL'))
    let printed = ''
    host.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
    await vi.waitUntil(() => printed.includes('connected'), 50_000)
    const pids = ['own', 'left'].map((name) => Number(read(name)))
    expect(pids.every(isRunning)).toBe(true)
    host.kill('SIGKILL')
    await vi.waitUntil(() => !pids.some(isRunning), 50_000)
  },
)
