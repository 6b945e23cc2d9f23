import { readFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { type LiveCall, readStatus, type ToolResult } from '@toolblocks/protocol'
import { describe, expect, test } from 'vitest'
import { type Program, wordsOf, writeProgram } from './program.suite.ts'
import { toTool } from './to-tool.ts'
import { defineTool } from './define-tool.ts'
import { text } from './results/text.ts'
import { error } from './results/error.ts'
import { waiting } from './live/waiting.ts'
import { booleanQuestion } from '@toolblocks/protocol'
import { testTool } from './test-tool.ts'

const { signal } = new AbortController()
const said = (result: ToolResult) => [readStatus(result), ...wordsOf(result)]

/** A stateful program whose `run` is this. */
const live = (body: string) =>
  writeProgram(`
import { writeFileSync } from 'node:fs'
await runTools([defineTool({
  name: 'probe', stateful: true, arguments: { properties: { count: { type: 'integer' } } },
  async *run({ arguments: { count = 1 }, signal, root }) { ${body} },
})])`)

async function spawn(program: Program, values: Record<string, unknown> = {}): Promise<LiveCall> {
  const call = { id: 'c', name: 'probe', arguments: values }
  return await program.tool('probe', { stateful: true }).spawn!(call, program.context())
}

describe('a stateful program', () => {
  test('shows, asks and goes on, over lines', async () => {
    const handle = await spawn(
      live(`
  try {
    for (let hunk = 1; hunk <= count; hunk++) {
      yield text('hunk ' + hunk)
      const stage = yield waiting(booleanQuestion({ id: 'stage_' + hunk, text: 'Stage it?' }))
      yield text(stage ? 'staged' : 'left')
    }
    return text('done')
  } finally { writeFileSync('finally', '') }`),
      { count: 2 },
    )
    expect(said(handle.started)).toEqual(['waiting', 'hunk 1', '(question)'])
    expect(said(await handle.apply({ answers: { other: 1 } }, signal))).toEqual([
      'waiting',
      'The tool expects an answer to "stage_1".',
    ])
    expect(said(await handle.apply({ answers: { stage_1: true } }, signal))).toEqual([
      'waiting',
      'staged',
      'hunk 2',
      '(question)',
    ])
    expect(said(await handle.apply({ input: false }, signal))).toEqual(['stopped', 'left', 'done'])
    expect((await handle.fetch(signal)).isError).toBe(true)
  })

  test('takes free input, also before it waits for it', async () => {
    const handle = await spawn(
      live(`
  const first = yield waiting('First?')
  const second = yield waiting('Second?')
  return text(first + second)`),
    )
    expect(said(handle.started)).toEqual(['running', 'First?'])
    expect(said(await handle.apply({ input: 'a' }, signal))).toEqual(['running', 'Second?'])
    expect(said(await handle.apply({ input: 'b' }, signal))).toEqual(['stopped', 'ab'])
  })

  test('works on between two looks at it', async () => {
    const program = live(`
  yield text('started')
  yield text('half')
  writeFileSync('half', '')
  await new Promise((resolve) => setTimeout(resolve, 60_000, signal.addEventListener('abort', resolve)))`)
    const handle = await spawn(program)
    expect(said(handle.started).slice(0, 2)).toEqual(['running', 'started'])
    const later = [...said(handle.started), ...said(await handle.fetch(signal))]
    expect(later).toContain('half')
    expect(said(await handle.abort())).toEqual(['stopped'])
  })

  test('runs finally when it is aborted, and has last words', async () => {
    const program = live(`
  try { yield waiting('Well?') } finally { yield text('bye'); writeFileSync(root + '/finally', 'ran') }`)
    const handle = await spawn(program)
    expect(said(await handle.abort())).toEqual(['stopped', 'bye'])
    expect(readFileSync(join(program.root, 'finally'), 'utf8')).toBe('ran')
  })

  test('runs finally when nobody is there any more', async () => {
    const program = live(
      `try { yield waiting('Well?') } finally { writeFileSync('finally', 'ran') }`,
    )
    const { stdout, code } = await program.start(
      '{"seq":1,"context":{"action":"spawn","root":"."},"tool":{"name":"probe"}}\n',
    )
    expect([JSON.parse(stdout)._meta, code, existsSync(join(program.root, 'finally'))]).toEqual([
      { 'computer.jp/status': 'running', 'toolblocks/re': 1 },
      0,
      true,
    ])
  })

  test('that throws, or gets arguments that do not fit, stops and says why', async () => {
    const program = live(`throw new Error('broken')`)
    expect(said((await spawn(program)).started)).toEqual([
      'stopped',
      'The tool "probe" failed: broken',
    ])
    const { started } = await spawn(program, { count: 'x' })
    expect(said(started)).toEqual(['stopped', expect.stringContaining('/count')])
  })

  test.for([
    ['before it shows anything', ''],
    ['while it waits', `yield waiting('Well?')`],
  ])('that lets an error go uncaught %s stops and says why', async ([, before = '']) => {
    const handle = await spawn(
      live(`${before}
  try {
    setTimeout(() => { throw new Error('broken') }, 1)
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
  } finally { writeFileSync('finally', '') }`),
    )
    const results = [handle.started]
    if (before !== '') results.push(await handle.apply({ input: 'go' }, signal))
    expect(said(results.at(-1)!)).toEqual(['stopped', 'The tool "probe" failed: broken'])
  })

  test('does other actions only when it has been spawned', async () => {
    const { stdout } = await live('').start(
      '{"context":{"action":"fetch","root":"."},"tool":{"name":"probe"}}',
    )
    expect(JSON.parse(stdout)).toMatchObject({ isError: true })
  })
})

describe('a stateful tool in process', () => {
  const stage = defineTool({
    name: 'stage',
    stateful: true,
    actions: ['spawn', 'apply', 'abort'],
    async *run({ signal: aborted }) {
      const first = yield waiting(booleanQuestion({ id: 'first', text: 'First?' }), text('hunk'))
      yield text(`first ${JSON.stringify(first)}`)
      const input = yield waiting('Which?')
      if (input === 'wrong') yield error('There is none.')
      return text(`${JSON.stringify(input)} ${aborted.aborted}`)
    },
  })
  const context = { root: '/', signal, answers: {} }
  const call = { id: 'c', name: 'stage', arguments: {} }

  test('is a live call like any other', async () => {
    const tool = toTool(stage)
    expect(tool.actions).toEqual(['spawn', 'apply', 'abort'])
    const handle = await tool.spawn!(call, context)
    expect(said(handle.started)).toEqual(['waiting', 'hunk', '(question)'])
    expect(said(await handle.apply({ answers: { first: true } }, signal))).toEqual([
      'running',
      'first true',
      'Which?',
    ])
    const wrong = await handle.apply({ input: 'wrong' }, signal)
    expect([wrong.isError, ...said(wrong)]).toEqual([
      true,
      'stopped',
      'There is none.',
      '"wrong" false',
    ])
    expect((await handle.apply({ input: 1 }, signal)).isError).toBe(true)
    expect(said(await handle.abort())).toEqual(['stopped'])
  })

  test('is given what was applied before it waited', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const eager = defineTool({
      name: 'eager',
      stateful: true,
      async *run() {
        yield text('ready')
        await promise
        const first = yield waiting('First?')
        const second = yield waiting('Second?')
        return text(JSON.stringify([first, second]))
      },
    })
    const handle = await toTool(eager).spawn!(call, context)
    expect(said(await handle.apply({ input: 'a' }, signal))).toEqual(['running'])
    expect(said(await handle.apply({ input: 'b' }, signal))).toEqual(['running'])
    resolve()
    await new Promise(setImmediate)
    expect(said(await handle.fetch(signal))).toEqual(['stopped', 'First?', 'Second?', '["a","b"]'])
  })

  test('is not kept waiting for by whoever gives up', async () => {
    const silent = defineTool({
      name: 'silent',
      stateful: true,
      async *run({ signal: aborted }) {
        yield waiting('Go?')
        await new Promise((resolve) => aborted.addEventListener('abort', resolve))
      },
    })
    const handle = await toTool(silent).spawn!(call, context)
    const giveUp = new AbortController()
    const applied = handle.apply({ input: 1 }, giveUp.signal)
    giveUp.abort()
    expect(said(await applied)).toEqual(['running'])
    expect(said(await handle.abort())).toEqual(['stopped'])
  })

  test('is aborted by the signal of its call', async () => {
    const controller = new AbortController()
    const handle = await toTool(stage).spawn!(call, { ...context, signal: controller.signal })
    controller.abort()
    await handle.abort()
    expect(said(await handle.fetch(signal))).toEqual(['stopped'])
  })

  test('that does not end by itself is left behind', async () => {
    const stuck = defineTool({
      name: 'stuck',
      stateful: true,
      async *run() {
        yield text('ready')
        await new Promise(() => {})
      },
    })
    const handle = await toTool(stuck).spawn!(call, context)
    const result = await handle.abort()
    expect([result.isError, ...said(result)]).toEqual([
      true,
      'stopped',
      'The tool "stuck" does not end.',
    ])
  })

  test('waits when nobody takes what it shows', async () => {
    let shown = 0
    const floods = defineTool({
      name: 'floods',
      stateful: true,
      async *run() {
        for (;;) {
          shown += 1
          yield text('more')
        }
      },
    })
    const handle = await toTool(floods).spawn!(call, context)
    expect(handle.started.content.length).toBeLessThanOrEqual(1000)
    await new Promise(setImmediate)
    expect(shown).toBeLessThan(3000)
    await handle.abort()
  })

  test('runs as one call where all it needs is known', async () => {
    const all = await testTool(stage, {}, { answers: { first: true }, inputs: ['b'] })
    expect(wordsOf(all)).toEqual(['hunk', 'first true', 'Which?', '"b" false'])
    expect(wordsOf(await testTool(stage, {}))).toEqual(['hunk', '(question)'])
    const spawnIt = await testTool(stage, {}, { answers: { first: true } })
    expect([spawnIt.isError, wordsOf(spawnIt).at(-1)]).toEqual([
      true,
      'The tool waits for input, which a call that runs once cannot give: spawn it.',
    ])
  })
})
