import { type JsonValue, readStatus } from '@toolblocks/protocol'
import { META_STATUS } from '@toolblocks/protocol/internal'
import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { makeContext, makeTool, makeWorkspace } from '../workspace.support.ts'
import { running, signal, start, getWords } from './live-program.support.ts'

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
  expect([getWords(live.started), readStatus(live.started)]).toEqual(['at 3', 'running'])
  expect(getWords(await live.apply({ input: '4' }, { signal }))).toBe('at 7')
  expect(getWords(await live.fetch({ signal }))).toBe('at 7')
  const ended = await live.abort()
  expect([getWords(ended), readStatus(ended), ended.isError]).toEqual([
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
  expect(getWords(await live.apply({ answers: { hunk_3: 'y' } }, { signal }))).toBe(
    '{"hunk_3":"y"}',
  )
})

test('messages without a request come before the next reply, in order', async () => {
  const { live } = await start({
    spawn: running,
    apply:
      "say(JSON.stringify({ content: [{ type: 'text', text: 'news' }], _meta: { 'computer.jp/status': 'running' } })); say('plain words'); reply('done', 'running')",
  })
  const result = await live.apply({ input: 1 }, { signal })
  expect(getWords(result)).toBe('news|plain words\n|done')
  await live.abort()
})

test('a tool without news need not answer a fetch', async () => {
  const { live } = await start({ spawn: running })
  const result = await live.fetch({ signal })
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
    live.apply({ input: 1 }, { signal }),
    live.apply({ input: 2 }, { signal }),
  ])
  expect(results.map(getWords)).toEqual(['one', 'two'])
  await live.abort()
})

test('a program that cannot be started is a stopped call with the reason', async () => {
  const tool = makeTool('no-such-program', { stateful: true })
  const live = await tool.spawn?.(
    { id: 'c', name: 'probe', arguments: {} },
    makeContext(makeWorkspace().root),
  )
  if (!live) throw new Error('the tool is not stateful')
  expect(live.started).toMatchObject({ isError: true, _meta: { [META_STATUS]: 'stopped' } })
  expect(getWords(live.started)).toContain('was not started')
  for (const result of [
    await live.fetch({ signal }),
    await live.apply({ input: 1 }, { signal }),
    await live.abort(),
  ]) {
    expect(getWords(result)).toBe('Tool "probe" has stopped; spawn it again.')
    expect(result).toMatchObject({ isError: true, _meta: { [META_STATUS]: 'stopped' } })
  }
})

test('an invalid value for an argument of the command starts nothing', async () => {
  const { root, read } = makeWorkspace()
  const command = ['sh', '-c', 'echo > ran', '{{tool.arguments.path}}']
  const tool = makeTool(command, { stateful: true })
  const call = { id: 'c', name: 'probe', arguments: { path: 'a\0b' } }
  const live = await tool.spawn?.(call, makeContext(root))
  expect(getWords(live?.started ?? { content: [], isError: false })).toContain('was not started')
  expect(read('ran')).toBeUndefined()
})

const cycle: unknown[] = []
cycle.push(cycle)

test.skipIf(process.platform !== 'linux').for<[string, unknown]>([
  ['contain themselves', cycle],
  ['hold a big integer', 1n],
])('arguments that %s start nothing, and leave no process and no descriptor', async ([, value]) => {
  const { root, read } = makeWorkspace()
  const command = { program: 'echo $$ > pid; exec sleep 30', shell: true }
  const tool = makeTool(command, { stateful: true })
  const before = readdirSync('/proc/self/fd').length
  const live = await tool.spawn?.(
    { id: 'c', name: 'probe', arguments: { x: value } },
    makeContext(root),
  )
  expect(live?.started).toMatchObject({ isError: true, metadata: { outcome: 'failed' } })
  expect(getWords(live?.started ?? { content: [], isError: false })).toContain('nested too deeply')
  expect(read('pid')).toBeUndefined()
  expect(readdirSync('/proc/self/fd').length).toBe(before)
})

test('input that cannot be written gives an error result, and the tool continues', async () => {
  const { live } = await start({ spawn: running, apply: "reply('here', 'running')" })
  for (const input of [cycle, 1n]) {
    const result = await live.apply({ input: input as JsonValue }, { signal })
    expect([result.isError, readStatus(result)]).toEqual([true, 'running'])
    expect(getWords(result)).toContain('cannot be written as JSON')
  }
  expect(getWords(await live.apply({ input: 1 }, { signal }))).toBe('here')
  await live.abort()
})

test('a tool that does not answer apply in time stays alive, and the result says so', async () => {
  const { live } = await start(
    { spawn: running, fetch: "reply('here', 'running')" },
    { timeoutMs: 300 },
  )
  const result = await live.apply({ input: 1 }, { signal })
  expect(result).toMatchObject({ isError: true, metadata: { outcome: 'timeout' } })
  expect(readStatus(result)).toBe('running')
  expect(getWords(await live.fetch({ signal }))).toBe('here')
  await live.abort()
})

test('a line of many megabytes, a flood of errors and partial lines are read like others', async () => {
  const { live } = await start({
    spawn: running,
    apply:
      "process.stderr.write('x'.repeat(1e6)); const text = JSON.stringify({ content: [{ type: 'text', text: 'é'.repeat(3e6) }], _meta: { 'toolblocks/re': request.seq, 'computer.jp/status': 'running' } }) + '\\n'; const bytes = Buffer.from(text); process.stdout.write(bytes.subarray(0, 1001)); setTimeout(() => process.stdout.write(bytes.subarray(1001)), 30)",
  })
  expect(getWords(await live.apply({ input: 1 }, { signal }))).toBe('é'.repeat(3e6))
  await live.abort()
})

test('messages without a request beyond the limit are counted and reported', async () => {
  const { live } = await start({
    spawn: running,
    apply: "for (let i = 0; i < 30; i++) say('y'.repeat(1e5)); reply('done', 'running')",
  })
  const result = await live.apply({ input: 1 }, { signal })
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
