import { execFileSync } from 'node:child_process'
import { getEventListeners } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { type LiveCall, type ToolContext, type ToolResult, readStatus } from '@toolblocks/protocol'
import { META_STATUS } from '@toolblocks/protocol/internal'
import type { LocalCommand } from './command/local-tool-definition.ts'
import {
  eventually,
  isRunning,
  makeContext,
  makeWorkspace,
  type Workspace,
} from './workspace.support.ts'
import { createPtyTool } from './pty.ts'

const { signal } = new AbortController()

async function start(
  command: LocalCommand,
  workspace: Workspace = makeWorkspace(),
  context: Partial<ToolContext> = {},
): Promise<LiveCall> {
  const tool = createPtyTool({ name: 'terminal', inputSchema: {}, command }, { graceMs: 300 })
  const live = await tool.spawn?.(
    { id: 'c', name: 'terminal', arguments: {} },
    makeContext(workspace.root, context),
  )
  if (!live) throw new Error('no spawn')
  return live
}

const getScreen = (result: ToolResult): string =>
  result.content.map((block) => (block.type === 'text' ? block.text : block.type)).join('\n')

/** Waits until the screen shows some text; programs need different times. */
async function see(live: LiveCall, text: string): Promise<string> {
  for (let count = 0; count < 50; count++) {
    const screen = getScreen(await live.fetch({ signal }))
    if (screen.includes(text)) return screen
  }
  throw new Error(`the screen never showed ${text}`)
}

test('a call without a handle runs once with standard streams, also if the tool is stateful', async () => {
  const workspace = makeWorkspace()
  const command = workspace.script(
    'sees',
    'test -t 1 && echo terminal',
    'grep -o \'"action":"[a-z]*"\'',
  )
  const definition = { name: 'terminal', inputSchema: {}, command, stateful: true }
  const { execute } = createPtyTool(definition)
  const result = await execute(
    { id: 'c', name: 'terminal', arguments: {} },
    makeContext(workspace.root),
  )
  expect(getScreen(result)).toBe('"action":"run"\n')
})

test('a shell shows its screen and receives the typed text', async () => {
  const workspace = makeWorkspace()
  const live = await start(workspace.script('shell', 'PS1="> " exec sh -i'), workspace)
  expect(readStatus(live.started)).toBe('running')
  await live.apply({ input: 'echo $((6 * 7)) $TERM; stty size\n' }, { signal })
  const screen = await see(live, '42 xterm-256color')
  expect(screen).toContain('24 80')
  await live.abort()
})

test('the first screen is that of a program that has begun to write, also if it starts slowly', async () => {
  const workspace = makeWorkspace()
  const script = workspace.script('slow', 'sleep 0.5', 'printf ready', 'cat')
  const live = await start(script, workspace)
  expect(getScreen(live.started)).toBe('ready')
  await live.abort()
})

test('a program that has ended has stopped, although this process could not run meanwhile', async () => {
  const workspace = makeWorkspace()
  const script = workspace.script('asks', 'echo ready', 'read a', 'echo "answer $a"', 'exit 3')
  const live = await start(script, workspace)
  await see(live, 'ready')
  const applied = live.apply({ input: 'x\n' }, { signal })
  // What is due after this is due before anything is read.
  setImmediate(() => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000)
  })
  const result = await applied
  expect([getScreen(result), readStatus(result)]).toEqual([
    expect.stringMatching(/answer x\n.*with exit code 3/s),
    'stopped',
  ])
})

test('overwritten text is not on the screen, and colours are not text', async () => {
  const workspace = makeWorkspace()
  const script = workspace.script(
    'paint',
    String.raw`printf 'loading...\r\033[31mdone\033[0m      \n'; cat`,
  )
  const live = await start(script, workspace)
  expect(await see(live, 'done')).toBe('done')
  await live.abort()
})

test('a program that ends has stopped, with its exit code if it failed', async () => {
  const workspace = makeWorkspace()
  const { signal: host } = new AbortController()
  const live = await start(
    workspace.script('ask', 'read -r code; echo bye; exit "$code"'),
    workspace,
    { signal: host },
  )
  expect(getEventListeners(host, 'abort').length).toBe(1)
  let result = await live.apply({ input: '3\n' }, { signal })
  while (readStatus(result) === 'running') result = await live.fetch({ signal })
  expect(getScreen(result)).toBe('3\nbye\nTool "terminal" ended with exit code 3.')
  expect([result._meta, result.isError]).toEqual([{ [META_STATUS]: 'stopped' }, true])
  expect((await live.fetch({ signal })).isError).toBe(true)
  expect(getEventListeners(host, 'abort')).toEqual([])
})

test('an abort ends the program and all processes that it started', async () => {
  const workspace = makeWorkspace()
  const script = workspace.script(
    'nest',
    "trap '' HUP TERM",
    'sleep 60 &',
    'echo "$$ $!" > pids',
    'echo ready',
    'wait',
    'sleep 60',
  )
  const live = await start(script, workspace)
  await see(live, 'ready')
  const result = await live.abort()
  expect([readStatus(result), result.isError]).toEqual(['stopped', false])
  for (const pid of (workspace.read('pids') ?? '').trim().split(' '))
    expect(await eventually(() => !isRunning(Number(pid)))).toBe(true)
})

// Only Linux has the program setsid, and /proc to find what it has started.
test.skipIf(process.platform !== 'linux')(
  'an abort also ends processes that the program started outside of its group',
  async () => {
    const workspace = makeWorkspace()
    const script = workspace.script(
      'leave',
      `setsid sh -c 'trap "" HUP; echo $$ > pid; exec sleep 60' &`,
      'until [ -s pid ]; do sleep 0.02; done; echo ready; cat',
    )
    const live = await start(script, workspace)
    await see(live, 'ready')
    await live.abort()
    expect(await eventually(() => !isRunning(Number(workspace.read('pid'))))).toBe(true)
  },
)

test('a program that floods the screen without end is shown and ended', async () => {
  const workspace = makeWorkspace()
  const script = workspace.script(
    'attack',
    String.raw`echo $$ > pid; while :; do printf 'x\033[99999999L\033[99999999T\033[2147483647b\033[6n'; done`,
  )
  const live = await start(script, workspace)
  expect(readStatus(live.started)).toBe('running')
  expect(readStatus(await live.abort())).toBe('stopped')
  expect(isRunning(Number(workspace.read('pid')))).toBe(false)
})

test('an abort ends the program before it reads the screen', async () => {
  const workspace = makeWorkspace()
  const script = workspace.script(
    'leave',
    "trap 'echo last words; exit' HUP",
    'echo ready',
    'while :; do sleep 0.02; done',
  )
  const live = await start(script, workspace)
  await see(live, 'ready')
  expect(getScreen(await live.abort())).toContain('last words')
})

test('the emulator of the screen writes nothing to the console', async () => {
  const written: unknown[] = []
  const spies = (['debug', 'info', 'log', 'warn', 'error'] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation((...values) => void written.push(values)),
  )
  const workspace = makeWorkspace()
  const script = workspace.script(
    'odd',
    String.raw`printf '\033[1\303\251\033[\343\201\202done'; cat`,
  )
  const live = await start(script, workspace)
  await see(live, 'done')
  await live.abort()
  for (const spy of spies) spy.mockRestore()
  expect(written).toEqual([])
})

test('a program that cannot be started is a stopped call with the reason', async () => {
  const live = await start('no-such-program')
  expect(live.started.isError).toBe(true)
  expect(getScreen(live.started)).toContain('was not started')
})

test('a killed program has failed although its exit code is 0', async () => {
  const workspace = makeWorkspace()
  const live = await start(workspace.script('die', 'kill -KILL $$'), workspace)
  let result = live.started
  while (readStatus(result) === 'running') result = await live.fetch({ signal })
  expect([getScreen(result), result.isError]).toEqual([
    '\nTool "terminal" ended by signal 9.',
    true,
  ])
})

test('a call that was cancelled before its program was started leaves none', async () => {
  const workspace = makeWorkspace()
  const script = workspace.script('stay', 'echo $$ > pid; cat')
  const live = await start(script, workspace, { signal: AbortSignal.abort() })
  expect(readStatus(live.started)).toBe('stopped')
  expect(getScreen(live.started)).toBe(
    'Tool "terminal" was not started. The call was already cancelled.',
  )
  expect(workspace.read('pid')).toBeUndefined()
})

test('an abort during the host’s answers when the program is gone', async () => {
  const workspace = makeWorkspace()
  const controller = new AbortController()
  const script = workspace.script('stubborn', "trap '' HUP TERM", 'echo $$ > pid; echo ready; cat')
  const live = await start(script, workspace, { signal: controller.signal })
  await see(live, 'ready')
  const looking = live.fetch({ signal })
  expect(getEventListeners(controller.signal, 'abort').length).toBe(1)
  controller.abort()
  await live.abort()
  expect(isRunning(Number(workspace.read('pid')))).toBe(false)
  expect(readStatus(await looking)).toBe('stopped')
})

test('answers by question id are refused: a terminal has no questions', async () => {
  const live = await start('cat')
  expect(getScreen(await live.apply({ answers: { a: true } }, { signal }))).toContain(
    'use apply with the text to type',
  )
  await live.abort()
})

test('git add --patch stages exactly the chosen hunks', async () => {
  const workspace = makeWorkspace()
  const git = (...args: string[]): string =>
    execFileSync('git', args, {
      cwd: workspace.root,
      encoding: 'utf8',
      env: {
        ...process.env,
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_AUTHOR_NAME: 'a',
        GIT_AUTHOR_EMAIL: 'a@b',
        GIT_COMMITTER_NAME: 'a',
        GIT_COMMITTER_EMAIL: 'a@b',
      },
    })
  const lines = Array.from({ length: 60 }, (_, index) => `line ${index + 1}`)
  const write = (changed: readonly number[]): void =>
    writeFileSync(
      join(workspace.root, 'file.txt'),
      `${lines.map((line, index) => (changed.includes(index + 1) ? `${line} changed` : line)).join('\n')}\n`,
    )
  git('init', '--quiet')
  write([])
  git('add', '.')
  git('commit', '--quiet', '--message', 'start')
  write([5, 30, 55])

  const live = await start(
    ['git', '-c', 'color.ui=false', '-c', 'core.pager=cat', 'add', '--patch'],
    workspace,
  )
  for (const [hunk, answer] of [
    ['line 5 changed', 'y'],
    ['line 30 changed', 'n'],
    ['line 55 changed', 'y'],
  ] as const) {
    await see(live, hunk)
    await live.apply({ input: `${answer}\n` }, { signal })
  }
  await eventually(() => git('diff', '--cached').includes('line 55 changed'))
  const staged = git('diff', '--cached', '--unified=0')
    .split('\n')
    .filter((line) => line.startsWith('+l'))
  expect(staged).toEqual(['+line 5 changed', '+line 55 changed'])
  await live.abort()
})
