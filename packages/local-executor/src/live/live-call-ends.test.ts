import { type ToolResult, readStatus } from '@toolblocks/protocol'
import { META_STATUS } from '@toolblocks/protocol/internal'
import { spawn } from 'node:child_process'
import { getEventListeners } from 'node:events'
import { describe, expect, test } from 'vitest'
import { eventually, isRunning } from '../workspace.support.ts'
import { running, signal, start, getWords } from './live-program.support.ts'

const WRITE_PID =
  "import { writeFileSync } from 'node:fs'; writeFileSync('pid', String(process.pid))"

test('a reply without a status means that the tool has stopped, and the process is gone', async () => {
  const { live, workspace } = await start(
    {
      spawn: `require('node:fs').writeFileSync('pid', String(process.pid)); reply('all of it')`,
    },
    {
      before:
        "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)",
    },
  )
  expect([getWords(live.started), readStatus(live.started)]).toEqual(['all of it', 'stopped'])
  expect(() => process.kill(Number(workspace.read('pid')), 0)).toThrow('ESRCH')
  for (const result of [
    await live.fetch({ signal }),
    await live.apply({ input: 1 }, { signal }),
    await live.abort(),
  ])
    expect([result.isError, getWords(result)]).toEqual([
      true,
      'Tool "probe" has stopped; spawn it again.',
    ])
})

test('a reply with a wrong status means that the tool has stopped, with a warning that names the statuses', async () => {
  const { live } = await start({ spawn: "reply('first', 'wait')" })
  expect([getWords(live.started), readStatus(live.started)]).toEqual(['first', 'stopped'])
  expect(live.started.metadata?.warnings).toEqual([
    expect.objectContaining({
      path: '/_meta/computer.jp~1status',
      message:
        'The field "computer.jp/status" was omitted: expected "running", "waiting" or "stopped", got string "wait"; the tool counts as stopped.',
    }),
  ])
})

describe('a process that ends by itself', () => {
  test('with success has stopped, with what it said last', async () => {
    const { live } = await start({ spawn: running, apply: "say('bye'); process.exit(0)" })
    const result = await live.apply({ input: 1 }, { signal })
    expect([getWords(result), readStatus(result), result.isError]).toEqual([
      'bye\n',
      'stopped',
      false,
    ])
    expect(result._meta).toEqual({ [META_STATUS]: 'stopped' })
  })

  test('with a failure is an error with its exit code and standard error', async () => {
    const { live } = await start({
      spawn: running,
      apply: "console.error('no disk'); process.exit(3)",
    })
    const result = await live.apply({ input: 1 }, { signal })
    expect([readStatus(result), result.isError]).toEqual(['stopped', true])
    expect(getWords(result)).toBe(
      'Tool "probe" ended with exit code 3. On stderr it printed:|no disk\n',
    )
    expect(result._meta).toEqual({ [META_STATUS]: 'stopped' })
  })

  test('with a failure, and without a word on standard error, says both', async () => {
    const { live } = await start({ spawn: running, apply: 'process.exit(4)' })
    expect(getWords(await live.apply({ input: 1 }, { signal }))).toBe(
      'Tool "probe" ended with exit code 4. It printed nothing on stderr.',
    )
  })

  test('between two actions is noticed by the next', async () => {
    const { live, workspace } = await start({ spawn: running }, { before: WRITE_PID })
    const pid = Number(workspace.read('pid'))
    process.kill(pid, 'SIGKILL')
    expect(await eventually(() => !isRunning(pid))).toBe(true)
    expect(getWords(await live.fetch({ signal }))).toContain('ended by the signal SIGKILL')
  })
})

test('the last response is read, although this process notices the end of the tool first and cannot run for a while then', async () => {
  const { live } = await start({
    spawn: running,
    apply: "reply('no disk', 'stopped', { isError: true }); process.exit(0)",
  })
  const other = spawn('sh', ['-c', 'read line; echo "$line"'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const applied = new Promise<ToolResult>((resolve, reject) =>
    other.stdout.once('data', () => {
      live.apply({ input: 1 }, { signal }).then(resolve, reject)
      // The tool responds and ends meanwhile. Its end is noticed before its output is read, because it came with that of the other program.
      block(1000)
    }),
  )
  other.once('exit', () => block(1000))
  other.stdin.end('go\n')
  block(500)
  expect(await applied).toMatchObject({ isError: true, content: [{ text: 'no disk' }] })
})

/** Blocks this process. */
function block(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

test('a killed tool is noticed although its child processes hold its output open', async () => {
  const { live, workspace } = await start(
    {
      spawn: `writeFileSync('pids', process.pid + ' ' + spawn('sleep', ['60'], { stdio: 'inherit' }).pid); ${running}`,
    },
    {
      before: "import { spawn } from 'node:child_process'; import { writeFileSync } from 'node:fs'",
    },
  )
  const pids = (workspace.read('pids') ?? '').split(' ').map(Number)
  process.kill(pids[0] ?? 0, 'SIGKILL')
  expect(getWords(await live.fetch({ signal }))).toContain('ended by the signal SIGKILL')
  expect(pids.filter(isRunning)).toEqual([])
})

test('a tool that ignores abort and SIGTERM is killed with all processes that it started', async () => {
  const { live, workspace } = await start(
    {
      spawn: `process.on('SIGTERM', () => {}); const child = spawn('sleep', ['60'], { stdio: 'ignore' }); writeFileSync('pids', process.pid + ' ' + child.pid); ${running}`,
    },
    {
      before:
        "import { spawn } from 'node:child_process'; import { writeFileSync } from 'node:fs'; setInterval(() => {}, 1000)",
    },
  )
  const result = await live.abort()
  expect([getWords(result), readStatus(result)]).toEqual(['Tool "probe" was aborted.', 'stopped'])
  expect(result).toMatchObject({ isError: false, metadata: { outcome: 'completed' } })
  for (const pid of (workspace.read('pids') ?? '').split(' '))
    expect(isRunning(Number(pid))).toBe(false)
})

test('the host’s abort ends the process', async () => {
  const controller = new AbortController()
  const { live, workspace } = await start(
    { spawn: `writeFileSync('pid', String(process.pid)); ${running}` },
    { before: "import { writeFileSync } from 'node:fs'", context: { signal: controller.signal } },
  )
  controller.abort()
  expect(await eventually(() => !isRunning(Number(workspace.read('pid'))))).toBe(true)
  expect((await live.fetch({ signal })).isError).toBe(true)
})

test('a call that was cancelled before its tool was started leaves no process', async () => {
  const { live, workspace } = await start(
    { spawn: running },
    { before: WRITE_PID, context: { signal: AbortSignal.abort() } },
  )
  expect([readStatus(live.started), live.started.metadata?.outcome]).toEqual([
    'stopped',
    'cancelled',
  ])
  const pid = workspace.read('pid')
  expect(pid !== undefined && isRunning(Number(pid))).toBe(false)
})

test('an abort during another, or during the host’s, answers when the process is gone', async () => {
  const controller = new AbortController()
  const { live, workspace } = await start(
    { spawn: running },
    {
      before: `${WRITE_PID}; process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)`,
      context: { signal: controller.signal },
    },
  )
  controller.abort()
  await live.abort()
  expect(isRunning(Number(workspace.read('pid')))).toBe(false)
})

test('a tool that reports its stop without a request, and then is silent, is ended', async () => {
  const { live, workspace } = await start(
    {
      spawn: `process.stdout.cork(); ${running}; say(JSON.stringify({ content: [{ type: 'text', text: 'bye' }] })); process.stdout.uncork()`,
    },
    { before: `${WRITE_PID}; setInterval(() => {}, 1000)` },
  )
  const result = await live.fetch({ signal })
  expect(`${getWords(live.started)} ${getWords(result)}`).toContain('bye')
  expect(readStatus(result)).toBe('stopped')
  expect(isRunning(Number(workspace.read('pid')))).toBe(false)
})

test('a tool that stays when its input has ended gets SIGTERM and can end in order', async () => {
  const { live, workspace } = await start(
    { spawn: running, abort: "reply('bye', 'stopped')" },
    {
      before: `import { writeFileSync } from 'node:fs'
        process.on('SIGTERM', () => { writeFileSync('tidied', 'tidy'); process.exit() })
        setInterval(() => {}, 1000)`,
      graceMs: 2000,
    },
  )
  expect(getWords(await live.abort())).toBe('bye')
  expect(workspace.read('tidied')).toBe('tidy')
})

test('cancelling one action cancels the call: the tool is informed and ended, and the result says so', async () => {
  const { live, workspace } = await start(
    {
      spawn: running,
      apply: "writeFileSync('thinking', '')",
      abort: "writeFileSync('told', 'abort'); process.exit()",
    },
    { before: WRITE_PID },
  )
  const controller = new AbortController()
  const applied = live.apply({ input: 1 }, { signal: controller.signal })
  expect(await eventually(() => workspace.read('thinking') !== undefined)).toBe(true)
  controller.abort()
  const result = await applied
  expect(getWords(result)).toBe('Tool "probe" was cancelled.')
  expect(result).toMatchObject({ isError: true, metadata: { outcome: 'cancelled' } })
  expect(workspace.read('told')).toBe('abort')
  expect(isRunning(Number(workspace.read('pid')))).toBe(false)
})

test('a late reply is delivered like a message without a request', async () => {
  const { live } = await start(
    { spawn: running, apply: 'late = reply', fetch: "late?.('at last', 'running')" },
    { before: 'let late', timeoutMs: 300 },
  )
  expect((await live.apply({ input: 1 }, { signal })).metadata?.outcome).toBe('timeout')
  // On a busy machine the reply to "spawn" can be late too, and is then delivered first.
  expect(
    getWords(await live.fetch({ signal }))
      .split('|')
      .at(-1),
  ).toBe('at last')
  await live.abort()
})

test('completed actions leave no timer and no listener on their signals', async () => {
  const timers = (): number =>
    process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const { signal: host } = new AbortController()
  const { signal: own } = new AbortController()
  const before = timers()
  const { live } = await start(
    { spawn: running, fetch: "reply('here', 'running')", abort: "reply('bye', 'stopped')" },
    { timeoutMs: 60_000, context: { signal: host } },
  )
  await live.fetch({ signal: own })
  expect([getEventListeners(own, 'abort').length, getEventListeners(host, 'abort').length]).toEqual(
    [0, 1],
  )
  // Both actions would leave two more processes; one of the test runner's own may have ended.
  expect(timers()).toBeLessThanOrEqual(before)
  await live.abort()
  expect(getEventListeners(host, 'abort')).toEqual([])
})

const codes = ({ metadata }: ToolResult): unknown[] =>
  (metadata?.warnings ?? []).map(({ path, code }) => [path, code])

const UNREADABLE = `{ content: [{ type: 'wat' }] }`

const WARNED = [['/content/0', 'unknown-block-type']]

test('unreadable output gives a warning: without a request, in a reply, and in the last message', async () => {
  const { live } = await start({
    spawn: `reply('ready', 'running', ${UNREADABLE})`,
    apply: `say(JSON.stringify(${UNREADABLE})); reply('applied', 'running')`,
    abort: `reply('bye', 'stopped', ${UNREADABLE})`,
  })
  const applied = await live.apply({ input: 1 }, { signal })
  expect([live.started, applied, await live.abort()].map(codes)).toEqual([WARNED, WARNED, WARNED])
})

test('and in a last line without an end', async () => {
  const { live } = await start({
    spawn: running,
    apply: `process.stdout.write(JSON.stringify(${UNREADABLE}), () => process.exit(0))`,
  })
  expect(codes(await live.apply({ input: 1 }, { signal }))).toEqual(WARNED)
})

test('the outcome and warnings that a tool claims are not taken for the host’s', async () => {
  const { live } = await start({
    spawn: `reply('a', 'running', { metadata: { outcome: 'denied', warnings: [{}] } })`,
  })
  expect(live.started.metadata?.outcome).toBe('completed')
  expect(live.started.metadata?.warnings?.map(({ code }) => code) ?? []).not.toContain(undefined)
  await live.abort()
})
