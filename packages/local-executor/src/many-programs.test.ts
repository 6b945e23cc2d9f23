import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type LiveCall, type ToolResult, readStatus } from '@toolblocks/protocol'
import { MAX_LIVE_PROGRAMS, MAX_RUNNING_PROGRAMS } from '@toolblocks/protocol/internal'
import { expect, onTestFinished, test } from 'vitest'
import { createPtyTool } from './pty.ts'
import {
  eventually,
  execute,
  makeContext,
  makeTool,
  makeWorkspace,
  texts,
  type Workspace,
} from './workspace.support.ts'
import { countLive } from './live/not-started.ts'

/** Occupies every slot until `free` is called or the test ends. */
async function takeAllTurns({ root, read }: Workspace): Promise<() => Promise<unknown>> {
  const program = 'echo >> taken; until [ -e free ]; do sleep 0.01; done'
  const calls = Array.from({ length: MAX_RUNNING_PROGRAMS }, () =>
    execute(makeTool({ program, shell: true }), makeContext(root)),
  )
  const free = async (): Promise<unknown> => {
    writeFileSync(join(root, 'free'), '')
    return await Promise.all(calls)
  }
  onTestFinished(async () => void (await free()))
  expect(await eventually(() => read('taken')?.length === MAX_RUNNING_PROGRAMS)).toBe(true)
  return free
}

const getOutcomes = (results: readonly ToolResult[]): readonly unknown[] => [
  ...new Set(results.map(({ metadata }) => metadata?.outcome)),
]

// A busy machine starts 300 programs slowly.
test('of 300 calls at once no more than the maximum run, and all finish', async () => {
  const { root, read } = makeWorkspace()
  mkdirSync(join(root, 'running'))
  // Each counts the programs beside it. The first ones wait, so that a program above the limit would show.
  const program = `: > running/$$; set -- running/*; echo $# >> counts
    until [ -e go ]; do sleep 0.05; done; rm running/$$; echo done`
  const actions = ['execute', 'formatArguments'] as const
  const tool = makeTool({ program, shell: true }, { formatsArguments: true })
  const calls = Promise.all(
    Array.from({ length: 300 }, async (_, index) => {
      const run = tool[actions[index % 2] ?? 'execute']
      if (!run) throw new Error('the tool formats no arguments')
      return await run({ id: `call-${index}`, name: 'probe', arguments: {} }, makeContext(root))
    }),
  )
  const counts = (): readonly number[] =>
    (read('counts') ?? '').split('\n').filter(Boolean).map(Number)
  expect(await eventually(() => counts().length >= MAX_RUNNING_PROGRAMS)).toBe(true)
  await sleep(300)
  expect(counts()).toHaveLength(MAX_RUNNING_PROGRAMS)
  writeFileSync(join(root, 'go'), '')
  const results = await calls
  expect(getOutcomes(results)).toEqual(['completed'])
  expect(new Set(results.flatMap(texts))).toEqual(new Set(['done\n']))
  expect(counts()).toHaveLength(300)
  expect(Math.max(...counts())).toBeLessThanOrEqual(MAX_RUNNING_PROGRAMS)
}, 180_000)

test('a call that is cancelled while it waits ends at once and never starts', async () => {
  const workspace = makeWorkspace()
  const { root, read } = workspace
  const free = await takeAllTurns(workspace)
  const ending = new AbortController()
  const tool = makeTool({ program: 'echo >> started', shell: true })
  const waiting = execute(tool, makeContext(root, { signal: ending.signal }))
  const other = execute(tool, makeContext(root))
  ending.abort()
  expect((await waiting).metadata?.outcome).toBe('cancelled')
  expect(read('started')).toBeUndefined()
  await free()
  expect((await other).metadata?.outcome).toBe('completed')
  expect(read('started')).toBe('\n')
})

test('the time of a call counts from its start', async () => {
  const workspace = makeWorkspace()
  const free = await takeAllTurns(workspace)
  const tool = makeTool({ program: 'echo in time', shell: true }, { timeoutMs: 2000 })
  const waiting = execute(tool, makeContext(workspace.root))
  await sleep(2100)
  await free()
  expect(texts(await waiting)).toEqual(['in time\n'])
})

test('a program that stays alive waits for no slot and takes none', async () => {
  const workspace = makeWorkspace()
  const { root } = workspace
  const command = { program: 'cat', shell: true } as const
  const terminal = createPtyTool(
    { name: 'probe', inputSchema: {}, command },
    { quietMs: 1, graceMs: 10 },
  )
  const start = async (): Promise<LiveCall> => {
    const live = await terminal.spawn?.(
      { id: 'call-1', name: 'probe', arguments: {} },
      makeContext(root),
    )
    if (!live) throw new Error('no spawn')
    return live
  }
  const free = await takeAllTurns(workspace)
  const first = await start()
  expect(readStatus(first.started)).toBe('running')
  await free()
  const more = await Promise.all(Array.from({ length: MAX_RUNNING_PROGRAMS }, start))
  const result = await execute(makeTool('echo hi'), makeContext(root))
  expect(texts(result)).toEqual(['hi\n'])
  await Promise.all([first, ...more].map(async (live) => await live.abort()))
})

test('a further live program above the maximum is refused until another has ended', async () => {
  const { root } = makeWorkspace()
  const call = { id: 'call-1', name: 'probe', arguments: {} }
  const command = { program: 'exit 0', shell: true } as const
  const tools = [
    makeTool(command, { stateful: true }),
    createPtyTool({ name: 'probe', inputSchema: {}, command }),
  ]
  const places = Array.from({ length: MAX_LIVE_PROGRAMS }, countLive)
  for (const { spawn } of tools) {
    const refused = await spawn?.(call, makeContext(root))
    expect(refused && texts(refused.started).join()).toContain(
      `was not started. ${MAX_LIVE_PROGRAMS} programs of tools are already running: end one of them first, with abort.`,
    )
  }
  places.pop()?.giveBack()
  for (const { spawn } of tools) {
    // Each releases its slot when its program ends, even if its result is never read.
    const live = await spawn?.(call, makeContext(root))
    expect(live && texts(live.started).join()).not.toContain('was not started')
    const isFree = (): boolean => {
      const liveSlot = countLive()
      liveSlot?.giveBack()
      return liveSlot !== undefined
    }
    expect(await eventually(isFree)).toBe(true)
  }
  const missing = makeTool('./no-such-program', { stateful: true })
  await missing.spawn?.(call, makeContext(root))
  expect(countLive()).toBeDefined()
  expect(countLive()).toBeUndefined()
  for (const liveSlot of places) liveSlot?.giveBack()
})
