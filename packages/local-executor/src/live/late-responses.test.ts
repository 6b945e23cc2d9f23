import { type ToolResult, readStatus } from '@toolblocks/protocol'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { eventually, makeContext, makeTool, makeWorkspace } from '../workspace.support.ts'
import { createLateResponses } from './late-responses.ts'
import type { LiveLine } from './live-line.ts'
import { getWords, running, signal, start } from './live-program.support.ts'

const DATA = '{ isError: true, structuredContent: { disk: 1 } }'

/** What a caller gets of a response with `DATA`. */
const WITH_DATA = {
  isError: true,
  structuredContent: { disk: 1 },
  metadata: { outcome: 'failed' },
}

const LAST_AT_LEISURE = `setTimeout(() => reply('no disk', 'stopped', ${DATA}), 1300)`

/** Blocks this process as soon as what is due after it is due before anything is read. */
function blockSoon(milliseconds: number): void {
  setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds))
}

describe('a response that is slower than a fetch waits', () => {
  test('is the result of the next fetch with its error, its data and its status', async () => {
    const { live } = await start(
      { spawn: running, fetch: `if (count++ === 0) ${LAST_AT_LEISURE}` },
      { before: 'let count = 0' },
    )
    const first = await live.fetch({ signal })
    expect([first.content, readStatus(first), first.isError]).toEqual([[], 'running', false])
    const last = await live.fetch({ signal })
    expect(last).toMatchObject({ ...WITH_DATA, content: [{ text: 'no disk' }] })
    expect(readStatus(last)).toBe('stopped')
  })

  test('is delivered after the end of the program too', async () => {
    const { live, workspace } = await start(
      {
        spawn: running,
        fetch: `setTimeout(() => { reply('no disk', 'stopped', ${DATA}); process.exit(0) }, 1300)`,
      },
      {
        before:
          "import { writeFileSync } from 'node:fs'; process.on('exit', () => writeFileSync('over', ''))",
      },
    )
    await live.fetch({ signal })
    expect(await eventually(() => workspace.read('over') !== undefined)).toBe(true)
    await sleep(300)
    const last = await live.fetch({ signal })
    expect(last).toMatchObject({ ...WITH_DATA, content: [{ text: 'no disk' }] })
    expect(readStatus(last)).toBe('stopped')
  })

  test('fails a call that runs from start to end', async () => {
    const { root } = makeWorkspace()
    const program = `let count = 0
      const say = (seq, status, more) => console.log(JSON.stringify({ content: [], ...more, _meta: { 'toolblocks/re': seq, 'computer.jp/status': status } }))
      require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { seq, context: { action } } = JSON.parse(line)
        if (action === 'spawn') say(seq, 'running')
        else if (count++ === 0) setTimeout(() => { say(seq, 'stopped', ${DATA}); process.exit(0) }, 1300)
      })`
    const tool = makeTool([process.execPath, '-e', program], { stateful: true })
    const result = await tool.execute({ id: 'c', name: 'probe', arguments: {} }, makeContext(root))
    expect(result).toMatchObject(WITH_DATA)
  })
})

/** Starts a tool that answers each fetch when it gets input: first that of the fetches in order, then that of the input. */
async function startLate(statuses: readonly string[]): ReturnType<typeof start> {
  const started = await start(
    {
      spawn: running,
      fetch: 'late.push(reply)',
      apply: `${JSON.stringify(statuses)}.forEach((status, index) => late[index]('late ' + index, status, { isError: index === 0, structuredContent: { index } })); if (request.tool.input !== 'silence') reply('input', 'running', { structuredContent: 'own' })`,
    },
    { before: 'const late = []', timeoutMs: 1500 },
  )
  for (const _ of statuses) await started.live.fetch({ signal })
  return started
}

const read = (result: ToolResult): readonly unknown[] => [
  getWords(result),
  readStatus(result),
  result.isError,
  result.structuredContent,
]

test('late responses come before the response of an input; an error stays an error, and all data remains', async () => {
  const { live } = await startLate(['running', 'running'])
  expect(read(await live.apply({ input: 'loud' }, { signal }))).toEqual([
    'late 0|{"index":0}|late 1|{"index":1}|input',
    'running',
    true,
    'own',
  ])
  await live.abort()
})

test('an input without a response has them too', async () => {
  const { live } = await startLate(['running'])
  const result = await live.apply({ input: 'silence' }, { signal })
  expect(result).toMatchObject({ isError: true, metadata: { outcome: 'timeout' } })
  expect(getWords(result)).toMatch(/^late 0\|Tool "probe" did not answer/)
  expect(result.structuredContent).toEqual({ index: 0 })
  await live.abort()
})

test('the last response of a tool ends an input that waits, also as a late one', async () => {
  const { live } = await startLate(['stopped'])
  expect(read(await live.apply({ input: 'silence' }, { signal }))).toEqual([
    'late 0',
    'stopped',
    true,
    { index: 0 },
  ])
})

/** Starts a tool that answers two fetches after both were over. */
async function startTwoLate(statuses: readonly [string, string]): ReturnType<typeof start> {
  const started = await start(
    {
      spawn: running,
      fetch: `late.push(reply); if (late.length === 2) setTimeout(() => { ${JSON.stringify(statuses)}.forEach((status, index) => late[index]('late ' + index, status, { isError: index === 0, structuredContent: { index } })); writeFileSync('over', '') }, 1300)`,
    },
    { before: "import { writeFileSync } from 'node:fs'; const late = []" },
  )
  await started.live.fetch({ signal })
  await started.live.fetch({ signal })
  expect(await eventually(() => started.workspace.read('over') !== undefined)).toBe(true)
  await sleep(300)
  return started
}

test('each of several late responses is the result of a fetch, in their order', async () => {
  const { live } = await startTwoLate(['running', 'stopped'])
  expect([await live.fetch({ signal }), await live.fetch({ signal })].map(read)).toEqual([
    ['late 0', 'running', true, { index: 0 }],
    ['late 1', 'stopped', false, { index: 1 }],
  ])
})

test('a tool whose late response was its last gets no input, and the result says so', async () => {
  const { live } = await startTwoLate(['running', 'stopped'])
  expect(read(await live.apply({ input: 'x' }, { signal }))).toEqual([
    'late 0|{"index":0}|late 1|Tool "probe" had stopped before: it did not receive the input.',
    'stopped',
    true,
    { index: 1 },
  ])
})

test('abort returns late responses', async () => {
  for (const [last, expected] of [
    ['stopped', 'late 0|{"index":0}|late 1'],
    ['running', 'late 0|{"index":0}|late 1|Tool "probe" was aborted.'],
  ] as const) {
    const { live } = await startTwoLate(['running', last])
    expect(read(await live.abort())).toEqual([expected, 'stopped', true, { index: 1 }])
  }
})

describe('although this process could not run', () => {
  test.for(['running', 'stopped'])(
    'a response that came in time is that of its fetch: %s',
    async (status) => {
      const { live } = await start({
        spawn: running,
        fetch: `reply('no disk', '${status}', ${DATA})`,
      })
      const fetched = live.fetch({ signal })
      blockSoon(1500)
      const result = await fetched
      expect(result).toMatchObject({ ...WITH_DATA, content: [{ text: 'no disk' }] })
      expect(readStatus(result)).toBe(status)
      if (status === 'running') await live.abort()
    },
  )

  test('a response that came in time is that of its input', async () => {
    const { live } = await start(
      { spawn: running, apply: "reply('here', 'stopped')" },
      { timeoutMs: 1500 },
    )
    const applied = live.apply({ input: 1 }, { signal })
    blockSoon(2000)
    expect(getWords(await applied)).toBe('here')
  })

  test('a document that came in time after text is the response', async () => {
    const document = JSON.stringify({ content: [], structuredContent: 1 })
    const { root } = makeWorkspace()
    const program = `const { existsSync, writeFileSync } = require('node:fs')
      console.log('text')
      writeFileSync('ready', '')
      setInterval(() => existsSync('go') && (console.log(${JSON.stringify(document)}), process.exit(0)), 10)`
    const tool = makeTool([process.execPath, '-e', program], { stateful: true })
    const spawned = tool.spawn?.({ id: 'c', name: 'probe', arguments: {} }, makeContext(root))
    expect(await eventually(() => existsSync(join(root, 'ready')))).toBe(true)
    await sleep(100)
    setImmediate(() => writeFileSync(join(root, 'go'), ''))
    blockSoon(1500)
    expect((await spawned)?.started).toMatchObject({ structuredContent: 1 })
  })
})

test('a late document of a tool that numbers no response keeps its error and its data', async () => {
  const { root, read: readFile } = makeWorkspace()
  const program = `let count = 0
    const say = (status, more) => console.log(JSON.stringify({ content: [], ...more, _meta: { 'computer.jp/status': status } }))
    require('node:readline').createInterface({ input: process.stdin }).on('line', () => {
      if (count++ === 0) say('running')
      else setTimeout(() => { say('running', ${DATA}); require('node:fs').writeFileSync('over', '') }, 1300)
    })`
  const tool = makeTool([process.execPath, '-e', program], { stateful: true })
  const live = await tool.spawn?.({ id: 'c', name: 'probe', arguments: {} }, makeContext(root))
  await live?.fetch({ signal })
  expect(await eventually(() => readFile('over') !== undefined)).toBe(true)
  await sleep(300)
  expect(await live?.fetch({ signal })).toMatchObject(WITH_DATA)
  await live?.abort()
})

test('a last document that answers no request keeps its error and its data', async () => {
  const { live } = await start({
    spawn: running,
    fetch: `say(JSON.stringify({ content: [], ...${DATA} }))`,
  })
  expect(await live.fetch({ signal })).toMatchObject(WITH_DATA)
})

test('of late responses above the limit, the status remains and whether they failed, and a warning says that one is lost', () => {
  const response = (text: string): LiveLine => ({
    status: 'stopped',
    result: { content: [{ type: 'text', text }], isError: true, structuredContent: text },
    warnings: [],
  })
  const late = createLateResponses(10)
  late.add(response('a'), 6)
  late.add(response('b'), 5)
  late.add(response('c'), 4)
  expect(late.takeAll()).toEqual([
    response('a'),
    {
      status: 'stopped',
      result: { content: [], isError: true },
      warnings: [
        {
          path: '',
          message: 'the tool sent more late responses than are kept: one is lost; fetch more often',
          expected: 'at most 10 bytes',
          code: 'over-limit',
        },
      ],
    },
    response('c'),
  ])
  expect(late.isEmpty()).toBe(true)
})
