import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { eventually, isRunning, makeWorkspace, startHost } from '../workspace.support.ts'
import { processIds } from './end-processes.ts'
import { watchRun } from './run-watcher.ts'

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
] as const)('when the host is %s, none of its tools keeps running', async ([, signal]) => {
  const { root, read } = makeWorkspace()
  const pids = (): number[] => ['pid-a', 'pid-b', 'pid-c'].map((name) => Number(read(name) ?? 0))
  const host = startHost(root, `process.once('SIGUSR2', () => process.exit(0))\n${TOOLS}`)
  expect(await eventually(() => pids().every((pid) => pid > 0))).toBe(true)
  host.kill(signal)
  expect(await eventually(() => !pids().some(isRunning))).toBe(true)
})

// Between the start of a program and the host's record of its group, only /proc shows that it belongs to the host.
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

test.skipIf(isOnWindows)(
  'the watcher does not keep the host running and leaves no file',
  async () => {
    const { root } = makeWorkspace()
    const files = (): string[] =>
      readdirSync(tmpdir()).filter((name) => /^toolblocks-[0-9a-f-]{36}$/.test(name))
    const before = files()
    const host = startHost(root, `await tool('true').execute(call, context)`)
    expect(await eventually(() => host.exitCode === 0)).toBe(true)
    expect(await eventually(() => files().every((name) => before.includes(name)))).toBe(true)
  },
)

/** Kills the host in place of a function of Node.js, or right after it. */
const KILL = `process.kill(process.pid, 'SIGKILL')`

test.skipIf(isOnWindows).for([
  [
    'cannot start the watcher',
    // One descriptor is free: for a file, and not for the shell.
    `try { for (;;) fs.openSync('/dev/null') } catch {}
    fs.closeSync(99)`,
  ],
  ['is killed before it starts the watcher', `childProcess.spawn = () => ${KILL}`],
  [
    'is killed when it has created the list',
    `const { openSync } = fs
    fs.openSync = (...args) => { openSync(...args); ${KILL} }`,
  ],
])('a host that %s leaves no file', async ([, fault]) => {
  const { root } = makeWorkspace()
  const program = `
    import childProcess from 'node:child_process'
    import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    import { watchRun } from ${JSON.stringify(import.meta.resolve('./run-watcher.ts'))}
    ${fault}
    syncBuiltinESMExports()
    watchRun('a'.repeat(36))
    process.exit()`
  const limited = ['-c', 'ulimit -n 100 && exec "$@"', 'sh', process.execPath]
  const host = spawn('sh', [...limited, '--input-type=module', '-e', program], {
    env: { ...process.env, TMPDIR: root },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await once(host, 'exit')
  expect(await eventually(() => readdirSync(root).length === 0)).toBe(true)
})

/** A shell program that keeps running in the same group and has erased its environment: only its group shows that it belongs to the run. */
const UNMARKED = `env -i /bin/sh -c 'trap "" HUP TERM; echo $$ > pid; while :; do sleep 0.1; done' & wait`

const PTY = import.meta.resolve('../pty.ts')

test.skipIf(isOnWindows).for([
  ['a tool', `void tool(${JSON.stringify(UNMARKED)}).execute(call, context)`],
  [
    'a program in a terminal',
    `const { createPtyTool } = await import(${JSON.stringify(PTY)})
    const command = { program: ${JSON.stringify(UNMARKED)}, shell: true }
    await createPtyTool({ name: 'probe', inputSchema: {}, command }).spawn(call, context)`,
  ],
])(
  'the complete group of %s is killed with the host, including processes that erased their environment',
  async ([, use]) => {
    const { root, read } = makeWorkspace()
    // When the host has seen the file, it has recorded the group.
    const noting = `import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
    setInterval(() => existsSync(context.root + '/pid') && writeFileSync(context.root + '/noted', ''), 20)`
    const host = startHost(root, `${noting}\n${use}`)
    expect(await eventually(() => read('noted') !== undefined)).toBe(true)
    host.kill('SIGKILL')
    expect(await eventually(() => !isRunning(Number(read('pid'))))).toBe(true)
  },
)

test.skipIf(isOffLinux)(
  'a process that the first search cannot find is killed at a later one',
  async () => {
    const { root, read } = makeWorkspace()
    // Its child ends at the first check; only then does it become a program with the marker.
    const late = `env TOOL_RUN_ID="$1" setsid sleep 30 & echo > ready; wait; echo $$ > pid; exec env TOOL_RUN_ID="$1" sleep 30`
    const program = `env -i PATH="$PATH" setsid sh -c '${late}' sh "$TOOL_RUN_ID" & wait`
    const host = startHost(root, `void tool(${JSON.stringify(program)}).execute(call, context)`)
    expect(await eventually(() => read('ready') !== undefined)).toBe(true)
    host.kill('SIGKILL')
    expect(await eventually(() => (read('pid') ?? '').endsWith('\n'))).toBe(true)
    expect(await eventually(() => !isRunning(Number(read('pid'))))).toBe(true)
  },
)

/** Finds the watcher of a host: its child whose script contains the marker. */
function findWatcher(host: number | undefined): number {
  const text = (path: string): string => {
    try {
      return readFileSync(path, 'latin1')
    } catch {
      return ''
    }
  }
  const watcherPid = processIds().find(
    (pid) =>
      text(`/proc/${pid}/stat`).includes(`) S ${host} `) &&
      text(`/proc/${pid}/cmdline`).includes('TOOL_RUN_ID'),
  )
  return watcherPid ?? 0
}

test.skipIf(isOffLinux)('a killed watcher is replaced at the next call', async () => {
  const { root, read } = makeWorkspace()
  const program = `
    process.once('SIGUSR2', () => void tool('echo $$ > pid; exec sleep 30').execute(call, context))
    setInterval(() => {}, 1000)
    await tool('echo > ready').execute(call, context)`
  const host = startHost(root, program)
  expect(await eventually(() => findWatcher(host.pid) > 0 && read('ready') !== undefined)).toBe(
    true,
  )
  const watcher = findWatcher(host.pid)
  process.kill(watcher, 'SIGKILL')
  // Only the host can have removed it.
  expect(await eventually(() => !existsSync(`/proc/${watcher}`))).toBe(true)
  host.kill('SIGUSR2')
  expect(await eventually(() => (read('pid') ?? '').endsWith('\n'))).toBe(true)
  host.kill('SIGKILL')
  expect(await eventually(() => !isRunning(Number(read('pid'))))).toBe(true)
})

/** Returns the lines of the watcher's list, a file that only this process and the watcher have open. */
function listedRuns(): readonly string[] {
  for (const file of readdirSync('/proc/self/fd')) {
    try {
      const path = readlinkSync(`/proc/self/fd/${file}`)
      if (!/\/toolblocks-[0-9a-f-]{36}( \(deleted\))?$/.test(path)) continue
      const lines = readFileSync(`/proc/self/fd/${file}`, 'latin1').split('\n')
      return lines.slice(0, -1).map((line) => line.trimEnd())
    } catch {
      // The descriptor of this search itself, which is closed by now.
    }
  }
  return []
}

test.skipIf(isOffLinux)(
  'a run is listed with its group until it is released, and its slot is used again',
  () => {
    const [a, b, c] = ['a', 'b', 'c'].map((letter) => letter.repeat(36))
    const one = watchRun(a ?? '')
    const others = listedRuns().length - 1
    const listed = (): readonly string[] => listedRuns().slice(others)
    expect(listed()).toEqual([a])
    const two = watchRun(b ?? '')
    // Larger than any process id.
    two.setGroup(99_999_999)
    expect(listed()).toEqual([a, `${b} 99999999`])
    one.release()
    expect(listed()).toEqual(['', `${b} 99999999`])
    const three = watchRun(c ?? '')
    expect(listed()).toEqual([c, `${b} 99999999`])
    // Released twice: its slot belongs to another run by now.
    one.release()
    expect(listed()).toEqual([c, `${b} 99999999`])
    two.release()
    three.release()
    expect(listed()).toEqual(['', ''])
  },
)
