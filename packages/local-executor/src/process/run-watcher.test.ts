import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { eventually, isRunning, makeWorkspace, startHost } from '../workspace.suite.ts'

// Windows has neither process groups nor a shell to watch them.
const isOnWindows = process.platform === 'win32'

const isOffLinux = process.platform !== 'linux'

/** Three tools of 30 seconds: one plain, one that ignores SIGTERM, one with a child. */
const TOOLS = `
for (const program of [
  'echo $$ > pid-a; exec sleep 30',
  'trap "" TERM; echo $$ > pid-b; while :; do sleep 0.1; done',
  'sleep 30 & echo $! > pid-c; wait',
]) void tool(program).execute(call, context)
`

test.skipIf(isOnWindows).for([
  ['killed', 'SIGKILL'],
  ['gone in order', 'SIGUSR2'],
] as const)('once the host is %s, no tool of it runs', async ([, signal]) => {
  const { root, read } = makeWorkspace()
  const pids = (): number[] => ['pid-a', 'pid-b', 'pid-c'].map((name) => Number(read(name) ?? 0))
  const host = startHost(root, `process.once('SIGUSR2', () => process.exit(0))\n${TOOLS}`)
  expect(await eventually(() => pids().every((pid) => pid > 0))).toBe(true)
  host.kill(signal)
  expect(await eventually(() => !pids().some(isRunning))).toBe(true)
})

// Between the start of a program and the host's note of its group, only /proc tells that it is ours.
test.skipIf(isOffLinux)('the host may be killed at any moment', { timeout: 30_000 }, async () => {
  const { root, read } = makeWorkspace()
  const pids = (): number[] => (read('pids') ?? '').split('\n').filter(Boolean).map(Number)
  const loop = `const one = tool('echo $$ >> pids; exec sleep 0.05')
    const long = tool('echo $$ >> pids; exec sleep 30')
    for (;;) { void long.execute(call, context); await one.execute(call, context) }`
  for (const calls of [1, 4, 9]) {
    const host = startHost(root, loop)
    const before = pids().length
    expect(await eventually(() => pids().length >= before + calls)).toBe(true)
    host.kill('SIGKILL')
    expect(await eventually(() => host.signalCode !== null && !pids().some(isRunning))).toBe(true)
  }
})

test.skipIf(isOnWindows)('the watcher keeps no host running and leaves no file', async () => {
  const { root } = makeWorkspace()
  const files = (): string[] =>
    readdirSync(tmpdir()).filter((name) => /^toolblocks-[0-9a-f-]{36}$/.test(name))
  const before = files()
  const host = startHost(root, `await tool('true').execute(call, context)`)
  expect(await eventually(() => host.exitCode === 0)).toBe(true)
  expect(await eventually(() => files().every((name) => before.includes(name)))).toBe(true)
})
