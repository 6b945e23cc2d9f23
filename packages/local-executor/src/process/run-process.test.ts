import type { ToolResult } from '@toolblocks/protocol'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { LocalToolDefinition } from '../command/local-tool-definition.ts'
import {
  type Workspace,
  eventually,
  execute,
  isRunning,
  makeContext,
  makeTool,
  makeWorkspace,
  texts,
} from '../workspace.support.ts'
import { DRAIN_MS } from './end-processes.ts'
import { hostEnvironment } from './environment.ts'
import { runProcess } from './run-process.ts'

// The programs here would run for a minute, which is longer than a test may take.
const GRACE_MS = 300

/** For programs that end by themselves in the grace period, even on a busy machine. */
const LONG_GRACE_MS = 30_000

function shell(
  program: string,
  more: Partial<LocalToolDefinition> = {},
  graceMs = GRACE_MS,
): ReturnType<typeof makeTool> {
  return makeTool({ program, shell: true }, more, { graceMs })
}

/** Runs a tool, and cancels it when it has written a line to a file. */
async function cancelOnce(
  file: string,
  tool: ReturnType<typeof makeTool>,
  { root, read }: Workspace,
): Promise<ToolResult> {
  const host = new AbortController()
  const running = execute(tool, makeContext(root, { signal: host.signal }))
  expect(await eventually(() => read(file)?.endsWith('\n') ?? false)).toBe(true)
  host.abort()
  return await running
}

/** Expects that the process with the id in this text has ended or ends soon. */
async function expectGone(pidText: string | undefined): Promise<void> {
  const pid = Number(pidText)
  expect(pid).toBeGreaterThan(1)
  expect(await eventually(() => !isRunning(pid))).toBe(true)
}

test('the deadline ends a tool: its output is kept, and the message names the deadline', async () => {
  const { root } = makeWorkspace()
  const tool = shell('echo partial; echo why >&2; sleep 60', { timeoutMs: 1000 })
  const value = await execute(tool, makeContext(root))
  expect(value).toMatchObject({ isError: true, metadata: { outcome: 'timeout' } })
  expect(texts(value)).toEqual([
    'partial\n',
    expect.stringMatching(
      /^Tool "probe" was stopped: it had not finished after 1 s\. .*deadline.* it printed:$/,
    ),
    'why\n',
  ])
})

test.for([
  ['for most of its time', 0],
  ['at the end of its time', 1900],
] as const)(
  'a tool that ended in time succeeds, although this process could not run %s and after it',
  async ([, fromMs]) => {
    const { root, read } = makeWorkspace()
    const tool = shell('echo > ready; until [ -e go ]; do sleep 0.01; done; echo all of it', {
      timeoutMs: 2000,
    })
    const begin = performance.now()
    const running = execute(tool, makeContext(root))
    expect(await eventually(() => read('ready') !== undefined)).toBe(true)
    while (performance.now() - begin < fromMs) await turnOfTheLoop()
    // What is due after this is due before anything is read.
    setImmediate(() => {
      writeFileSync(join(root, 'go'), '')
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500)
    })
    expect(await running).toMatchObject({ isError: false, content: [{ text: 'all of it\n' }] })
  },
)

test('blocks that were printed before the deadline are kept as blocks', async () => {
  const { root } = makeWorkspace()
  const document = '{"content":[{"type":"image","data":"AAAA","mimeType":"image/png"}]}'
  const tool = shell(`echo '${document}'; sleep 60`, { timeoutMs: 1000 })
  const result = await execute(tool, makeContext(root))
  expect(texts(result)).toEqual(['(image)', expect.stringContaining('was stopped')])
  expect(result).toMatchObject({ isError: true, metadata: { outcome: 'timeout' } })
})

test('a tool can use its grace period to end in order', async () => {
  const workspace = makeWorkspace()
  const program =
    'trap "echo tidy > tidied; exit 0" TERM; echo > ready; while :; do sleep 0.02; done'
  const result = await cancelOnce('ready', shell(program, {}, LONG_GRACE_MS), workspace)
  expect(result.metadata?.outcome).toBe('cancelled')
  expect(workspace.read('tidied')).toBe('tidy\n')
})

test('child processes can also use the grace period after the tool has ended', async () => {
  const workspace = makeWorkspace()
  const child = `trap "sleep 0.1; echo tidy > tidied; exit" TERM; echo > ready; while :; do sleep 0.02; done`
  const program = `sh -c '${child}' >/dev/null 2>&1 & exec sleep 60`
  await cancelOnce('ready', shell(program, {}, LONG_GRACE_MS), workspace)
  expect(workspace.read('tidied')).toBe('tidy\n')
})

test.for([
  ['ignores SIGTERM', 'trap "" TERM; echo $$ > pid; while :; do sleep 0.05; done'],
  ['has stopped itself', 'echo $$ > pid; kill -STOP $$'],
  [
    'has a child that ignores SIGTERM',
    `sh -c 'trap "" TERM; echo $$ > pid; while :; do sleep 0.05; done' & wait`,
  ],
])('a tool that %s is killed after its grace period', async ([, program = '']) => {
  const workspace = makeWorkspace()
  const value = await cancelOnce('pid', shell(program), workspace)
  expect(value.metadata?.outcome).toBe('cancelled')
  await expectGone(workspace.read('pid'))
})

test('the signal of the caller cancels a tool, and its output so far is kept', async () => {
  const tool = shell('echo partial; echo > started; sleep 60')
  const value = await cancelOnce('started', tool, makeWorkspace())
  expect(value).toMatchObject({ isError: true, metadata: { outcome: 'cancelled' } })
  expect(texts(value)).toEqual([
    'partial\n',
    expect.stringMatching(/^Tool "probe" was cancelled before it finished\./),
  ])
})

test('a signal that is already aborted starts nothing', async () => {
  const { root, read } = makeWorkspace()
  const tool = shell('echo ran > ran')
  const result = await execute(tool, makeContext(root, { signal: AbortSignal.abort() }))
  expect(result).toMatchObject({ isError: true, metadata: { outcome: 'cancelled' } })
  expect(read('ran')).toBeUndefined()
})

test('a signal at any moment of a call settles it, once', async () => {
  const { root } = makeWorkspace()
  for (const turns of [0, 1, 2, 4, 8, 64, 512]) {
    const host = new AbortController()
    const running = execute(
      shell('echo done; sleep 0.01'),
      makeContext(root, { signal: host.signal }),
    )
    for (let turn = 0; turn < turns; turn++) await turnOfTheLoop()
    host.abort()
    expect(['completed', 'cancelled']).toContain((await running).metadata?.outcome)
  }
})

test('a child that holds the output of an ended tool is killed soon, and the result says so', async () => {
  const { root, read } = makeWorkspace()
  const value = await execute(shell('sleep 60 & echo $! > pid; echo done'), makeContext(root))
  expect(texts(value)).toEqual(['done\n'])
  expect(value).toMatchObject({
    isError: false,
    metadata: { outcome: 'completed', warnings: [{ code: 'processes-left-behind' }] },
  })
  await expectGone(read('pid'))
})

test('a child that holds no output causes no delay and is killed too', async () => {
  const { root, read } = makeWorkspace()
  // No SIGTERM is sent: that would take the grace period.
  const child = `sh -c 'trap "" TERM; echo $$ > pid; while :; do sleep 0.05; done' >/dev/null 2>&1`
  const program = `${child} & until [ -s pid ]; do sleep 0.01; done; echo done`
  const result = await execute(shell(program, {}, LONG_GRACE_MS), makeContext(root))
  expect(result).toMatchObject({
    content: [{ text: 'done\n' }],
    metadata: { outcome: 'completed' },
  })
  expect(result.metadata?.warnings).toBeUndefined()
  await expectGone(read('pid'))
})

// Only Linux has the program setsid, and /proc to find what it has started.
const isOffLinux = process.platform !== 'linux'

test.skipIf(isOffLinux)(
  'a child that left the process group causes no delay, and is found',
  async () => {
    const escapeTo = (file: string): string => `setsid sh -c 'echo $$ > ${file}; exec sleep 60' &`
    const workspace = makeWorkspace()
    const program = `${escapeTo('pid')} until [ -s pid ]; do sleep 0.02; done; echo done`
    const ended = await execute(shell(program), makeContext(workspace.root))
    expect(ended.metadata).toMatchObject({
      outcome: 'completed',
      warnings: [{ code: 'processes-left-behind' }],
    })
    await expectGone(workspace.read('pid'))

    const late = await cancelOnce('late', shell(`${escapeTo('late')} sleep 60`), workspace)
    expect(late.metadata?.outcome).toBe('cancelled')
    await expectGone(workspace.read('late'))
  },
)

test.skipIf(isOffLinux)('a child that cannot be found causes no delay either', async () => {
  const workspace = makeWorkspace()
  const tool = shell(`env -i /usr/bin/setsid sh -c 'echo $$ > pid; exec sleep 60' & sleep 60`)
  const pipes = (): number =>
    process.getActiveResourcesInfo().filter((name) => name === 'PipeWrap').length
  const before = pipes()
  const value = await cancelOnce('pid', tool, workspace)
  expect(value.metadata?.outcome).toBe('cancelled')
  const pid = Number(workspace.read('pid'))
  expect(isRunning(pid)).toBe(true)
  // The host closes its pipes. Those that earlier tests have left may close meanwhile, too.
  expect(await eventually(() => pipes() <= before)).toBe(true)
  process.kill(pid, 'SIGKILL')
})

test('a tool that closes its stdin early, or does not read a large document, works', async () => {
  const { root } = makeWorkspace()
  const call = { id: 'call-1', name: 'probe', arguments: { text: 'x'.repeat(1_000_000) } }
  for (const program of ['exec <&-; sleep 0.1; echo done', 'echo done']) {
    const result = await shell(program).execute(call, makeContext(root))
    expect(result).toMatchObject({ isError: false, content: [{ text: 'done\n' }] })
  }
})

test('a tool that closes its output early is waited for', async () => {
  const { root, read } = makeWorkspace()
  const tool = shell('echo done; exec >&- 2>&-; sleep 0.2; echo late > late; exit 4')
  const result = await execute(tool, makeContext(root))
  expect(texts(result)).toEqual(['done\n', expect.stringContaining('ended with exit code 4.')])
  expect(read('late')).toBe('late\n')
})

test('many concurrent tools stay separate', async () => {
  const { root } = makeWorkspace()
  const tool = makeTool(['printf', '%s', '{{tool.arguments.n}}'])
  const context = makeContext(root)
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      tool.execute({ id: `${n}`, name: 'probe', arguments: { n } }, context),
    ),
  )
  expect(results.map(({ id, content }) => [id, content])).toEqual(
    results.map((_, n) => [`${n}`, [{ type: 'text', text: `${n}` }]]),
  )
})

/** The maximum of the pool of streams, far less than one descriptor for each call below. */
const POOL = 100

test.skipIf(isOffLinux).for([
  ['calls', '#!/bin/sh', false],
  ['calls of what cannot be started', '#!/no/interpreter', true],
] as const)('%s leave no descriptor, timer or listener behind', async ([, firstLine, isError]) => {
  const { root } = makeWorkspace()
  writeFileSync(join(root, 'program'), `${firstLine}\n`, { mode: 0o755 })
  const { signal } = new AbortController()
  async function call(): Promise<void> {
    const result = await execute(makeTool(['./program']), makeContext(root, { signal }))
    expect(result.isError).toBe(isError)
  }
  await call()
  const before = readdirSync('/proc/self/fd').length
  for (let count = 0; count < 2 * POOL; count++) await call()
  expect(await eventually(() => readdirSync('/proc/self/fd').length <= before + POOL)).toBe(true)
  expect(process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length).toBeLessThan(
    3,
  )
})

test('nothing is read while a reader is busy, and after the end of the program everything is', async () => {
  // The program runs in real time; only the timers of the run are advanced.
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate'],
  })
  onTestFinished(() => void vi.useRealTimers())
  const { root } = makeWorkspace()
  const reader = Promise.withResolvers<void>()
  let bytes = 0
  const program = 'printf a; until [ -e go ]; do sleep 0.01; done; head -c 10000 /dev/zero'
  const running = runProcess({
    program: 'sh',
    args: ['-c', program],
    cwd: root,
    env: hostEnvironment(),
    input: '',
    timeoutMs: 60_000,
    graceMs: 0,
    leftoverProcesses: 'keep',
    signal: new AbortController().signal,
    onStdout: (chunk) => {
      bytes += chunk.length
      return bytes === 1 ? reader.promise : undefined
    },
    onStderr: () => {},
  })
  expect(await eventually(() => bytes === 1)).toBe(true)
  expect(vi.getTimerCount()).toBe(1)
  writeFileSync(join(root, 'go'), '')
  // In addition to the deadline: the program has ended, and its pipes may stay open for a moment.
  expect(await eventually(() => vi.getTimerCount() === 2)).toBe(true)
  await vi.advanceTimersByTimeAsync(DRAIN_MS + 1)
  // Without an active reader, another process would seem to hold the pipes.
  expect(vi.getTimerCount()).toBe(1)
  expect(bytes).toBe(1)
  reader.resolve()
  expect(await running).toEqual({ kind: 'exited', code: 0, pipesHeld: false, left: [] })
  expect(bytes).toBe(10_001)
})

describe('a program that ended by SIGINT', () => {
  const interrupted = (signal: AbortSignal) =>
    execute(makeTool({ program: 'kill -INT $$', shell: true }), {
      ...makeContext(makeWorkspace().root),
      signal,
    })

  test('was cancelled, if the Ctrl-C of the host follows, because it reached both', async () => {
    const result = await interrupted(AbortSignal.timeout(50))
    expect(result.metadata?.outcome).toBe('cancelled')
  })

  test('failed, if no cancellation follows', async () => {
    const result = await interrupted(new AbortController().signal)
    expect(result.metadata?.outcome).toBe('failed')
    expect(texts(result).join()).toContain('was ended by the signal SIGINT')
  })
})

/** Starts a process in its own group that holds no pipes, and ends when that process runs. */
const DETACHED = `setsid sh -c 'echo $$ > pid; exec sleep 30' >/dev/null 2>&1 & until [ -s pid ]; do sleep 0.01; done; echo done`

test.skipIf(isOffLinux)(
  'a process that left the group and still runs is named in a warning and keeps running',
  async () => {
    const { root, read } = makeWorkspace()
    for (const program of [
      DETACHED,
      `rm pid; ${DETACHED}; exit 3`,
      `rm pid; sleep 1.1; ${DETACHED}`,
    ]) {
      const result = await execute(makeTool({ program, shell: true }), makeContext(root))
      const pid = Number(read('pid'))
      expect(isRunning(pid)).toBe(true)
      process.kill(pid, 'SIGKILL')
      expect(result.metadata?.warnings).toEqual([
        {
          path: '',
          code: 'processes-left-behind',
          message: expect.stringMatching(
            new RegExp(
              `are still running: "(?:sleep|sh)" \\(process ${pid}\\)\\. .*leftover_processes to "stop"`,
            ),
          ),
        },
      ])
    }
  },
)

test.skipIf(isOffLinux)(
  'with leftoverProcesses "stop" it is killed, and the warning says so',
  async () => {
    const { root, read } = makeWorkspace()
    const result = await execute(
      makeTool({ program: DETACHED, shell: true }, { leftoverProcesses: 'stop' }),
      makeContext(root),
    )
    expect(result).toMatchObject({
      isError: false,
      metadata: {
        warnings: [
          {
            code: 'processes-left-behind',
            message: expect.stringMatching(/kept running and were killed/),
          },
        ],
      },
    })
    expect(await eventually(() => !isRunning(Number(read('pid'))))).toBe(true)
  },
)

test.skipIf(isOffLinux)('a process of many threads is named once', async () => {
  const { root, read } = makeWorkspace()
  const program = `setTimeout(() => {}, 30_000); require("fs").writeFileSync("pid", String(process.pid))`
  const start = `setsid "$1" -e '${program}' >/dev/null 2>&1 & until [ -s pid ]; do sleep 0.01; done`
  const command = { program: start, args: [process.execPath], shell: true }
  const result = await execute(makeTool(command), makeContext(root))
  process.kill(Number(read('pid')), 'SIGKILL')
  expect(result.metadata?.warnings?.[0]?.message.match(/\(process \d+\)/g)).toHaveLength(1)
})
