import { readFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { type LiveCall, type ToolResult, booleanQuestion, readStatus } from '@toolblocks/protocol'
import { runInquiry } from '@toolblocks/inquiry'
import { describe, expect, test } from 'vitest'
import { type Program, getWords, writeProgram } from './program.support.ts'
import { toTool } from './to-tool.ts'
import { defineTool } from './define-tool.ts'
import { text } from './results/blocks.ts'
import { failure } from './results/output.ts'
import { waiting } from './run/defined-tool.ts'
import { testTool } from './test-tool.ts'

const { signal } = new AbortController()
const readOutput = (result: ToolResult) => [readStatus(result), ...getWords(result)]

/** A stateful program whose `run` is this. */
const live = (body: string) =>
  writeProgram(`
import { appendFileSync, writeFileSync } from 'node:fs'
await runTools([defineTool({
  name: 'probe', stateful: true, inputSchema: { properties: { count: { type: 'integer' } } },
  async *run({ count = 1 }, { signal, root }) { ${body} },
})])`)

async function spawn(program: Program, values: Record<string, unknown> = {}): Promise<LiveCall> {
  const call = { id: 'c', name: 'probe', arguments: values }
  return await program.tool('probe', { stateful: true }).spawn!(call, program.context())
}

describe('a stateful program', () => {
  test('shows, asks and continues, through lines', async () => {
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
    expect(readOutput(handle.started)).toEqual(['waiting', 'hunk 1', '(question)'])
    expect(readOutput(await handle.apply({ answers: { other: 1 } }, { signal }))).toEqual([
      'waiting',
      'The tool expects an answer to "stage_1".',
    ])
    expect(readOutput(await handle.apply({ answers: { stage_1: true } }, { signal }))).toEqual([
      'waiting',
      'staged',
      'hunk 2',
      '(question)',
    ])
    expect(readOutput(await handle.apply({ input: false }, { signal }))).toEqual([
      'stopped',
      'left',
      'done',
    ])
    expect((await handle.fetch({ signal })).isError).toBe(true)
  })

  test('accepts free input, also before it waits for it', async () => {
    const handle = await spawn(
      live(`
  const first = yield waiting('First?')
  const second = yield waiting('Second?')
  return text(first + second)`),
    )
    expect(readOutput(handle.started)).toEqual(['waiting', 'First?'])
    expect(readOutput(await handle.apply({ input: 'a' }, { signal }))).toEqual([
      'waiting',
      'Second?',
    ])
    expect(readOutput(await handle.apply({ input: 'b' }, { signal }))).toEqual(['stopped', 'ab'])
  })

  test('continues to work between two fetches', async () => {
    const program = live(`
  yield text('started')
  yield text('half')
  writeFileSync('half', '')
  await new Promise((resolve) => setTimeout(resolve, 60_000, signal.addEventListener('abort', resolve)))`)
    const handle = await spawn(program)
    expect(readOutput(handle.started).slice(0, 2)).toEqual(['running', 'started'])
    const later = [...readOutput(handle.started), ...readOutput(await handle.fetch({ signal }))]
    expect(later).toContain('half')
    expect(readOutput(await handle.abort())).toEqual(['stopped'])
  })

  test('runs finally when it is aborted, and can output more', async () => {
    const program = live(`
  try { yield waiting('Well?') } finally { yield text('bye'); writeFileSync(root + '/finally', 'ran') }`)
    const handle = await spawn(program)
    expect(readOutput(await handle.abort())).toEqual(['stopped', 'bye'])
    expect(readFileSync(join(program.root, 'finally'), 'utf8')).toBe('ran')
  })

  test('runs finally when its host is gone', async () => {
    const program = live(
      `try { yield waiting('Well?') } finally { writeFileSync('finally', 'ran') }`,
    )
    const { stdout, code } = await program.start(
      '{"seq":1,"context":{"action":"spawn","root":"."},"tool":{"name":"probe"}}\n',
    )
    expect([JSON.parse(stdout)._meta, code, existsSync(join(program.root, 'finally'))]).toEqual([
      { 'computer.jp/status': 'waiting', 'toolblocks/re': 1 },
      0,
      true,
    ])
  })

  test('that throws, or receives invalid arguments, stops with a reason', async () => {
    const program = live(`throw new Error('broken')`)
    expect(readOutput((await spawn(program)).started)).toEqual([
      'stopped',
      'The tool "probe" failed: broken',
    ])
    const { started } = await spawn(program, { count: 'x' })
    expect(readOutput(started)).toEqual(['stopped', expect.stringContaining('/count')])
  })

  test.for([
    ['before it shows anything', ''],
    ['while it waits', `yield waiting('Well?')`],
  ])('with an uncaught error %s stops with a reason', async ([, before = '']) => {
    const handle = await spawn(
      live(`${before}
  try {
    setTimeout(() => { throw new Error('broken') }, 1)
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
  } finally { writeFileSync('finally', '') }`),
    )
    const results = [handle.started]
    if (before !== '') results.push(await handle.apply({ input: 'go' }, { signal }))
    expect(readOutput(results.at(-1)!)).toEqual(['stopped', 'The tool "probe" failed: broken'])
  })

  test.for([
    ['with the answers of a person', { action: 'accept', value: true }, ['alpha', 'bye']],
    ['until a person declines', { action: 'decline' }, ['bye']],
  ] as const)('called without a handle runs once %s', async ([, answer, written]) => {
    const program = live(`
  const write = (line) => appendFileSync('written', line + '\\n')
  appendFileSync('starts', 'x')
  try {
    if ((yield waiting(booleanQuestion({ id: 'keep', text: 'Keep alpha?' }), text('alpha'))) === true) write('alpha')
    const title = yield waiting('Which title?')
    return text('title ' + title)
  } finally { write('bye') }`)
    const asked: string[] = []
    const result = await runInquiry(
      program.tool('probe', { stateful: true }),
      { id: 'c', name: 'probe', arguments: {} },
      {
        context: {
          signal,
          root: program.root,
          ask: {
            user: async ({ id, text: questionText }) => {
              asked.push(questionText)
              return id === 'keep' ? answer : { action: 'accept', value: 'A' }
            },
          },
        },
      },
    )
    const getLines = (name: string) => readFileSync(join(program.root, name), 'utf8').split('\n')
    expect([getLines('starts'), getLines('written')]).toEqual([['x'], [...written, '']])
    expect(getWords(result)).toEqual(
      answer.action === 'accept'
        ? ['alpha', 'Which title?', 'title A']
        : [
            'alpha',
            'The tool asked "Keep alpha?" (keep), and that was declined.',
            'The call was ended; its effects remain.',
          ],
    )
    expect(asked).toEqual(
      answer.action === 'accept' ? ['Keep alpha?', 'Which title?'] : ['Keep alpha?'],
    )
    expect(result.isError).toBe(answer.action === 'decline')
  })

  test('that a host runs as a one-shot tool is refused when it waits, and asks nothing that would start it again', async () => {
    const program = live(
      `appendFileSync('starts', 'x'); yield waiting(booleanQuestion({ id: 'keep', text: 'Keep alpha?' }))`,
    )
    const result = await runInquiry(
      program.tool(),
      { id: 'c', name: 'probe', arguments: {} },
      {
        context: {
          signal,
          root: program.root,
          ask: { user: async () => ({ action: 'accept', value: true }) },
        },
      },
    )
    expect([result.isError, ...getWords(result)]).toEqual([
      true,
      'The tool asked "Keep alpha?" (keep), and nobody could answer it: a stateful tool can wait only where it is spawned, so declare it stateful.',
      'The call was ended; its effects remain.',
    ])
    expect(readFileSync(join(program.root, 'starts'), 'utf8')).toBe('x')
  })

  test('performs other actions only after a spawn', async () => {
    const { stdout } = await live('').start(
      '{"context":{"action":"fetch","root":"."},"tool":{"name":"probe"}}',
    )
    expect(JSON.parse(stdout)).toMatchObject({ isError: true })
  })
})

describe('a stateful tool in the process of the host', () => {
  const stage = defineTool({
    name: 'stage',
    stateful: true,
    actions: ['spawn', 'apply', 'abort'],
    async *run(_args, { signal: aborted }) {
      const first = yield waiting(booleanQuestion({ id: 'first', text: 'First?' }), text('hunk'))
      yield text(`first ${JSON.stringify(first)}`)
      const input = yield waiting('Which?')
      if (input === 'wrong') yield failure('There is none.')
      return text(`${JSON.stringify(input)} ${aborted.aborted}`)
    },
  })
  const context = { root: '/', signal, answers: {} }
  const call = { id: 'c', name: 'stage', arguments: {} }

  test('is a live call like any other', async () => {
    const tool = toTool(stage)
    expect(tool.actions).toEqual(['spawn', 'apply', 'abort'])
    const handle = await tool.spawn!(call, context)
    expect(readOutput(handle.started)).toEqual(['waiting', 'hunk', '(question)'])
    expect(readOutput(await handle.apply({ answers: { first: true } }, { signal }))).toEqual([
      'waiting',
      'first true',
      'Which?',
    ])
    const wrong = await handle.apply({ input: 'wrong' }, { signal })
    expect([wrong.isError, ...readOutput(wrong)]).toEqual([
      true,
      'stopped',
      'There is none.',
      '"wrong" false',
    ])
    expect((await handle.apply({ input: 1 }, { signal })).isError).toBe(true)
    expect(readOutput(await handle.abort())).toEqual(['stopped'])
  })

  test('receives input that was applied before it waited', async () => {
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
    expect(readOutput(await handle.apply({ input: 'a' }, { signal }))).toEqual(['running'])
    expect(readOutput(await handle.apply({ input: 'b' }, { signal }))).toEqual(['running'])
    resolve()
    await new Promise(setImmediate)
    expect(readOutput(await handle.fetch({ signal }))).toEqual([
      'stopped',
      'First?',
      'Second?',
      '["a","b"]',
    ])
  })

  test('does not block a caller that stops waiting', async () => {
    const silent = defineTool({
      name: 'silent',
      stateful: true,
      async *run(_args, { signal: aborted }) {
        yield waiting('Go?')
        await new Promise((resolve) => aborted.addEventListener('abort', resolve))
      },
    })
    const handle = await toTool(silent).spawn!(call, context)
    const giveUp = new AbortController()
    const applied = handle.apply({ input: 1 }, { signal: giveUp.signal })
    giveUp.abort()
    expect(readOutput(await applied)).toEqual(['running'])
    expect(readOutput(await handle.abort())).toEqual(['stopped'])
  })

  test('is aborted by the signal of its call', async () => {
    const controller = new AbortController()
    const handle = await toTool(stage).spawn!(call, { ...context, signal: controller.signal })
    controller.abort()
    await handle.abort()
    expect(readOutput(await handle.fetch({ signal }))).toEqual(['stopped'])
  })

  test('that does not end by itself is abandoned', async () => {
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
    expect([result.isError, ...readOutput(result)]).toEqual([
      true,
      'stopped',
      'The tool "stuck" does not end.',
    ])
  })

  test('waits if its output is not fetched', async () => {
    let count = 0
    const floods = defineTool({
      name: 'floods',
      stateful: true,
      async *run() {
        for (;;) {
          count += 1
          yield text('more')
        }
      },
    })
    const handle = await toTool(floods).spawn!(call, context)
    expect(handle.started.content.length).toBeLessThanOrEqual(1000)
    await new Promise(setImmediate)
    expect(count).toBeLessThan(3000)
    await handle.abort()
  })

  test('runs as one call if all its answers are known', async () => {
    const all = await testTool(stage, {}, { answers: { first: true }, inputs: ['b'] })
    expect([all.isError, ...getWords(all)]).toEqual([
      false,
      'hunk',
      'first true',
      'Which?',
      '"b" false',
    ])
  })

  test('that runs as one call reports its unanswered question, and is ended', async () => {
    const asked = await testTool(stage, {})
    expect([asked.isError, ...getWords(asked)]).toEqual([
      true,
      'hunk',
      'The tool asked "First?" (first), and nobody could answer it.',
      'The call was ended; its effects remain.',
      '(question)',
    ])
    const waited = await testTool(stage, {}, { answers: { first: true } })
    expect(getWords(waited).slice(2, 5)).toEqual([
      'Which?',
      'The tool asked "Which?" (input_1), and nobody could answer it.',
      'The call was ended; its effects remain.',
    ])
  })

  test('is asked by its host while it stays alive, and does nothing twice', async () => {
    let runs = 0
    const counting = defineTool({
      name: 'counting',
      stateful: true,
      async *run() {
        runs += 1
        const first = yield waiting(booleanQuestion({ id: 'first', text: 'First?' }), text('hunk'))
        const second = yield waiting('Title?')
        return text(JSON.stringify([first, second]))
      },
    })
    const asked: unknown[] = []
    const result = await runInquiry(toTool(counting), call, {
      context: {
        signal,
        root: '/',
        ask: {
          user: async (request, { blocks, source }) => {
            asked.push([request.text, blocks, source])
            return { action: 'accept', value: request.id === 'first' ? true : 'A' }
          },
        },
      },
    })
    expect([result.isError, ...getWords(result)]).toEqual([false, 'hunk', 'Title?', '[true,"A"]'])
    const source = { kind: 'question', call }
    expect(asked).toEqual([
      ['First?', [text('hunk')], source],
      ['Title?', [], source],
    ])
    expect([runs, result.metadata?.warnings]).toEqual([1, undefined])
  })
})
