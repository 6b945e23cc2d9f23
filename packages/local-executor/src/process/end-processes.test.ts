import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { type Workspace, eventually, isRunning, makeWorkspace } from '../workspace.support.ts'
import {
  findMarked,
  idsBetween,
  inSlices,
  killMarked,
  processIds,
  readState,
  sendSignal,
  untilGone,
} from './end-processes.ts'

test.for<[string, number, number | undefined, number[]]>([
  ['a few numbers are looked at without reading the list', 10, 13, [11, 12, 13]],
  ['of many, those that exist are', 10, 900, [11, 800, 900]],
  ['behind the greatest number comes the smallest again', 800, 10, [1, 10, 900, 32_000]],
  ['nobody knows the last one: any may be it', 10, undefined, [1, 10, 11, 800, 900, 32_000]],
  ['none was given since', 10, 10, []],
])('%s', ([, first, last, expected]) => {
  expect(idsBetween(first, last, () => [1, 10, 11, 800, 900, 32_000])).toEqual(expected)
})

test.skipIf(process.platform !== 'linux')(
  'only processes with the marker in their environment are found and killed',
  async () => {
    const start = (mark: string): number => {
      const child = spawn('sleep', ['60'], { env: { MARK: mark }, stdio: 'ignore' })
      onTestFinished(() => void child.kill('SIGKILL'))
      return child.pid ?? 0
    }
    const mark = `${process.pid}-marked`
    const marked = start(mark)
    const other = start(`${process.pid}-other`)
    const findPids = async (after?: number): Promise<number[]> =>
      (await findMarked(`MARK=${mark}`, after)).map(({ pid }) => pid)
    expect([await findPids(), await findPids(process.pid)]).toEqual([[marked], [marked]])
    await killMarked(`MARK=${mark}`)
    expect(await eventually(() => !isRunning(marked))).toBe(true)
    expect(isRunning(other)).toBe(true)
  },
)

test('a long list lets other work run, and yields every id once', async () => {
  const numbers = Array.from({ length: 1000 }, (_, index) => index)
  let turns = 0
  let next = setImmediate(function count() {
    turns += 1
    next = setImmediate(count)
  })
  const yielded: number[] = []
  for await (const number of inSlices(numbers)) yielded.push(number)
  clearImmediate(next)
  expect(yielded).toEqual(numbers)
  expect(turns).toBeGreaterThan(10)
  expect(turns).toBeLessThan(100)
})

test.skipIf(process.platform !== 'linux')('a process is found by its id', () => {
  expect(processIds()).toContain(process.pid)
  expect(readState(process.pid)).toMatchObject({ state: expect.stringMatching(/^[RS]$/) })
  expect(readState(2 ** 30)).toBeUndefined()
})

const isOnWindows = process.platform === 'win32'

// On other systems a dead member of a group cannot be distinguished from a living one, and there is no setsid.
const isOffLinux = process.platform !== 'linux'

/** Longer than any test may take. */
const FOR_EVER = 60_000

/** Starts a shell program in its own process group. */
function lead(workspace: Workspace, program: string): { pid: number; exited: Promise<unknown> } {
  const child = spawn('sh', ['-c', program], {
    cwd: workspace.root,
    detached: true,
    stdio: 'ignore',
  })
  const pid = child.pid ?? 0
  onTestFinished(() => void sendSignal(-pid, 'SIGKILL'))
  return { pid, exited: once(child, 'exit') }
}

async function pidIn(workspace: Workspace, name: string): Promise<number> {
  expect(await eventually(() => (workspace.read(name) ?? '').endsWith('\n'))).toBe(true)
  return Number(workspace.read(name))
}

test.skipIf(isOnWindows)('a group is waited for after its leader has ended', async () => {
  const workspace = makeWorkspace()
  const leader = lead(workspace, 'sleep 60 & echo $! > member')
  const member = await pidIn(workspace, 'member')
  await leader.exited
  expect(await untilGone(leader, 30)).toBe(false)
  const gone = untilGone(leader, FOR_EVER)
  process.kill(member, 'SIGKILL')
  expect(await gone).toBe(true)
  expect(isRunning(member)).toBe(false)
})

test.skipIf(isOnWindows)('a running leader is waited for no longer than the limit', async () => {
  const leader = lead(makeWorkspace(), 'exec sleep 60')
  expect(await untilGone(leader, 30)).toBe(false)
})

test.skipIf(isOffLinux)('a group has not ended while one of its members runs', async () => {
  const workspace = makeWorkspace()
  const leader = lead(workspace, 'sleep 60 & echo $! > first; sleep 60 & echo $! > second')
  const pids = [await pidIn(workspace, 'first'), await pidIn(workspace, 'second')]
  await leader.exited
  let isOver = false
  const gone = untilGone(leader, FOR_EVER).then((value) => {
    isOver = true
    return value
  })
  process.kill(pids[0] ?? 0, 'SIGKILL')
  expect(await eventually(() => !isRunning(pids[0] ?? 0))).toBe(true)
  expect(await untilGone(leader, 30)).toBe(false)
  expect(isOver).toBe(false)
  process.kill(pids[1] ?? 0, 'SIGKILL')
  expect(await gone).toBe(true)
})

test.skipIf(isOffLinux)('members that are dead but not reaped are not waited for', async () => {
  const workspace = makeWorkspace()
  // The shell replaces itself with a program that never reaps its child, which leads its own group.
  lead(workspace, `setsid sh -c 'echo $$ > dead' & exec sleep 60`)
  const dead = await pidIn(workspace, 'dead')
  expect(await eventually(() => !isRunning(dead))).toBe(true)
  expect(sendSignal(-dead, 0)).toBe(true)
  expect(await untilGone({ pid: dead, exited: Promise.resolve() }, FOR_EVER)).toBe(true)
})

test.skipIf(isOnWindows)('an empty group has ended', async () => {
  // Larger than any process id.
  expect(await untilGone({ pid: 99_999_999, exited: Promise.resolve() }, FOR_EVER)).toBe(true)
})
