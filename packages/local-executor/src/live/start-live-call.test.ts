import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readStatus, type LiveCall, type ToolContext, type ToolResult } from '@toolblocks/protocol'
import {
  eventually,
  isRunning,
  makeContext,
  makeTool,
  makeWorkspace,
  type Workspace,
} from '../workspace.suite.ts'

/** A live tool: `on` maps an action to the JavaScript that handles `request` with `reply(response, status)` and `say(line)`. */
const RUNTIME = `
import { createInterface } from 'node:readline'
const say = (line) => process.stdout.write(line + '\\n')
createInterface({ input: process.stdin }).on('line', (text) => {
  const request = JSON.parse(text)
  const reply = (words, status, more = {}) =>
    say(JSON.stringify({ content: [{ type: 'text', text: words }], ...more, _meta: { 'toolblocks/re': request.seq, ...(status && { 'computer.jp/status': status }) } }))
  on[request.context.action]?.(request, reply)
})
`

interface Started {
  live: LiveCall
  workspace: Workspace
  context: ToolContext
}

async function start(
  handlers: Record<string, string>,
  {
    before = '',
    values = {},
    timeoutMs = 5000,
    context,
  }: { before?: string; values?: object; timeoutMs?: number; context?: Partial<ToolContext> } = {},
): Promise<Started> {
  const workspace = makeWorkspace()
  const on = Object.entries(handlers).map(
    ([action, body]) => `${action}: (request, reply) => { ${body} }`,
  )
  writeFileSync(
    join(workspace.root, 'tool.mjs'),
    `${RUNTIME}\n${before}\nconst on = { ${on.join(',\n')} }\n`,
  )
  const tool = makeTool(
    [process.execPath, 'tool.mjs'],
    { stateful: true, timeoutMs },
    { graceMs: 400 },
  )
  const toolContext = makeContext(workspace.root, context)
  const call = { id: 'c', name: 'probe', arguments: { ...values } }
  const live = await tool.spawn?.(call, toolContext)
  if (!live) throw new Error('the tool is not stateful')
  return { live, workspace, context: toolContext }
}

const running = "reply('ready', 'running')"
const signal = new AbortController().signal
const wordsOf = (result: ToolResult): string =>
  result.content.map((block) => (block.type === 'text' ? block.text : block.type)).join('|')

test('a tool without stateful has no spawn', () => {
  expect(makeTool('true').spawn).toBeUndefined()
})

test('spawn, fetch, apply and abort are lines in and lines out, and the process stays between them', async () => {
  const { live } = await start(
    {
      spawn: "count = request.tool.arguments.from; reply('at ' + count, 'running')",
      fetch: "reply('at ' + count, 'running')",
      apply: "count += Number(request.tool.input); reply('at ' + count, 'running')",
      abort: "reply('ended at ' + count, 'stopped')",
    },
    { before: 'let count', values: { from: 3 } },
  )
  expect([wordsOf(live.started), readStatus(live.started)]).toEqual(['at 3', 'running'])
  expect(wordsOf(await live.apply({ input: '4' }, signal))).toBe('at 7')
  expect(wordsOf(await live.fetch(signal))).toBe('at 7')
  const ended = await live.abort()
  expect([wordsOf(ended), readStatus(ended), ended.isError]).toEqual([
    'ended at 7',
    'stopped',
    false,
  ])
})

test('answers reach the tool under their question ids', async () => {
  const { live } = await start({
    spawn: running,
    apply: "reply(JSON.stringify(request.tool.answers), 'stopped')",
  })
  expect(wordsOf(await live.apply({ answers: { hunk_3: 'y' } }, signal))).toBe('{"hunk_3":"y"}')
})

test('what the tool says unasked comes before the next reply, in order', async () => {
  const { live } = await start({
    spawn: running,
    apply:
      "say(JSON.stringify({ content: [{ type: 'text', text: 'news' }], _meta: { 'computer.jp/status': 'running' } })); say('plain words'); reply('done', 'running')",
  })
  const result = await live.apply({ input: 1 }, signal)
  expect(wordsOf(result)).toBe('news|plain words\n|done')
  await live.abort()
})

test('a tool that has nothing to say need not answer a fetch', async () => {
  const { live } = await start({ spawn: running })
  const result = await live.fetch(signal)
  expect([result.content, readStatus(result), result.isError]).toEqual([[], 'running', false])
  await live.abort()
})

test('replies are matched by their number, whatever their order', async () => {
  const { live } = await start(
    {
      spawn: running,
      apply:
        "if (request.tool.input === 1) first = reply; else { reply('two', 'running'); first('one', 'running') }",
    },
    { before: 'let first' },
  )
  const results = await Promise.all([
    live.apply({ input: 1 }, signal),
    live.apply({ input: 2 }, signal),
  ])
  expect(results.map(wordsOf)).toEqual(['one', 'two'])
  await live.abort()
})

test('a reply without a status has stopped, and the process is gone', async () => {
  const { live, workspace } = await start(
    {
      spawn: `require('node:fs').writeFileSync('pid', String(process.pid)); reply('all of it')`,
    },
    {
      before:
        "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)",
    },
  )
  expect([wordsOf(live.started), readStatus(live.started)]).toEqual(['all of it', 'stopped'])
  expect(() => process.kill(Number(workspace.read('pid')), 0)).toThrow('ESRCH')
  for (const result of [
    await live.fetch(signal),
    await live.apply({ input: 1 }, signal),
    await live.abort(),
  ])
    expect([result.isError, wordsOf(result)]).toEqual([
      true,
      'Tool "probe" has stopped; spawn it again.',
    ])
})

describe('a process that ends by itself', () => {
  test('with success has stopped, with what it said last', async () => {
    const { live } = await start({ spawn: running, apply: "say('bye'); process.exit(0)" })
    const result = await live.apply({ input: 1 }, signal)
    expect([wordsOf(result), readStatus(result), result.isError]).toEqual([
      'bye\n',
      'stopped',
      false,
    ])
  })

  test('with a failure is an error with its exit code and standard error', async () => {
    const { live } = await start({
      spawn: running,
      apply: "console.error('no disk'); process.exit(3)",
    })
    const result = await live.apply({ input: 1 }, signal)
    expect([readStatus(result), result.isError]).toEqual(['stopped', true])
    expect(wordsOf(result)).toBe(
      'Tool "probe" ended with exit code 3. On stderr it printed:\nno disk\n',
    )
  })

  test('between two actions is noticed by the next', async () => {
    const { live } = await start({
      spawn: `${running}; setTimeout(() => process.kill(process.pid, 'SIGKILL'), 20)`,
    })
    await new Promise((next) => setTimeout(next, 200))
    expect(wordsOf(await live.fetch(signal))).toContain('ended by the signal SIGKILL')
  })
})

test('a tool that was killed is noticed, though what it had started holds its output open', async () => {
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
  expect(wordsOf(await live.fetch(signal))).toContain('ended by the signal SIGKILL')
  expect(pids.filter(isRunning)).toEqual([])
})

test('a program that cannot be started is a call that has stopped, and says why', async () => {
  const tool = makeTool('no-such-program', { stateful: true })
  const live = await tool.spawn?.(
    { id: 'c', name: 'probe', arguments: {} },
    makeContext(makeWorkspace().root),
  )
  expect(live?.started).toMatchObject({ isError: true })
  expect(wordsOf(live?.started ?? { content: [], isError: false })).toContain('was not started')
})

test('a tool that does not answer apply in time stays alive, and is told so', async () => {
  const { live } = await start(
    { spawn: running, fetch: "reply('here', 'running')" },
    { timeoutMs: 300 },
  )
  const result = await live.apply({ input: 1 }, signal)
  expect(result).toMatchObject({ isError: true, metadata: { outcome: 'timeout' } })
  expect(readStatus(result)).toBe('running')
  expect(wordsOf(await live.fetch(signal))).toBe('here')
  await live.abort()
})

test('a tool that ignores abort and SIGTERM is killed, with all it has started', async () => {
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
  expect([wordsOf(result), readStatus(result)]).toEqual(['Tool "probe" was aborted.', 'stopped'])
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
  expect((await live.fetch(signal)).isError).toBe(true)
})

test('a line of many megabytes, a flood of errors and half lines are read like others', async () => {
  const { live } = await start({
    spawn: running,
    apply:
      "process.stderr.write('x'.repeat(1e6)); const text = JSON.stringify({ content: [{ type: 'text', text: 'é'.repeat(3e6) }], _meta: { 'toolblocks/re': request.seq, 'computer.jp/status': 'running' } }) + '\\n'; const bytes = Buffer.from(text); process.stdout.write(bytes.subarray(0, 1001)); setTimeout(() => process.stdout.write(bytes.subarray(1001)), 30)",
  })
  expect(wordsOf(await live.apply({ input: 1 }, signal))).toBe('é'.repeat(3e6))
  await live.abort()
})

test('what is said unasked beyond the limit is counted and said', async () => {
  const { live } = await start({
    spawn: running,
    apply: "for (let i = 0; i < 30; i++) say('y'.repeat(1e5)); reply('done', 'running')",
  })
  const result = await live.apply({ input: 1 }, signal)
  expect(result.metadata?.warnings?.at(-1)).toMatchObject({
    code: 'over-limit',
    message: expect.stringContaining('bytes are lost'),
  })
  await live.abort()
})

test('fifty live calls leave no process and no descriptor behind', async () => {
  const workspace = makeWorkspace()
  const command = workspace.script(
    'live',
    'n=0',
    'while read -r line; do',
    '  n=$((n + 1))',
    `  printf '{"content":[],"_meta":{"toolblocks/re":%s,"computer.jp/status":"running"}}\\n' $n`,
    'done',
  )
  const tool = makeTool(command, { stateful: true })
  const call = { id: 'c', name: 'probe', arguments: {} }
  const openFiles = (): number => readdirSync('/proc/self/fd').length
  const once = async (): Promise<void> => {
    const live = await tool.spawn?.(call, makeContext(workspace.root))
    expect(readStatus(live?.started ?? { content: [], isError: false })).toBe('running')
    await live?.abort()
  }
  await once()
  const before = openFiles()
  for (let round = 0; round < 10; round++) await Promise.all(Array.from({ length: 5 }, once))
  expect(openFiles()).toBeLessThanOrEqual(before + 2)
})
