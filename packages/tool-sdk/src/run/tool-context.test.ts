import type { Progress } from '@toolblocks/protocol'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { defineTool } from '../define-tool.ts'
import { writeProgram, getWords } from '../program.support.ts'
import { testTool } from '../test-tool.ts'
import { toTool } from '../to-tool.ts'
import { waiting } from './defined-tool.ts'
import type { LogLevel } from './tool-context.ts'

const busy = defineTool({
  name: 'busy',
  async run(_args, { progress, log }) {
    progress(1, 3, 'a third')
    log('looked')
    log('warning', 'slow')
    progress(2)
    setTimeout(() => progress(3), 20)
    return 'done'
  },
})

const context = { root: '/', signal: new AbortController().signal, answers: {} }
const call = { id: 'c', name: 'busy', arguments: {} }

test('the context has no member that its kind of run cannot use', () => {
  defineTool({
    name: 'a',
    formatArguments: (_args, runContext) => {
      expectTypeOf(runContext).not.toHaveProperty('ask')
      expectTypeOf(runContext).not.toHaveProperty('progress')
      return ''
    },
    run: (_args, runContext) => {
      expectTypeOf<keyof typeof runContext>().toEqualTypeOf<
        | 'answers'
        | 'ask'
        | 'call'
        | 'conversationId'
        | 'log'
        | 'options'
        | 'progress'
        | 'root'
        | 'show'
        | 'signal'
        | 'workspaceId'
      >()
      return ''
    },
  })
  defineTool({
    name: 'a',
    stateful: true,
    async *run(_args, runContext) {
      expectTypeOf(runContext).not.toHaveProperty('ask')
      expectTypeOf(runContext).not.toHaveProperty('show')
      yield 'shown'
    },
  })
  // @ts-expect-error -- not a level of MCP
  defineTool({ name: 'a', run: (_args, { log }) => (log('fatal', 'x'), '') })
})

describe('in the process of a host', () => {
  test("progress goes to the host's hook until the call has ended, and so does the log", async () => {
    const reports: Progress[] = []
    await toTool(busy).execute(call, { ...context, onProgress: (report) => reports.push(report) })
    await new Promise((resolve) => setTimeout(resolve, 40))
    expect(reports).toEqual([
      { progress: 1, total: 3, message: 'a third' },
      { message: 'looked' },
      { message: '[warning] slow' },
      { progress: 2 },
    ])
  })

  test('a host may receive the log separately', async () => {
    const log: [LogLevel, string][] = []
    const reports: Progress[] = []
    const tool = toTool(busy, { onLog: (...entry) => log.push(entry) })
    await tool.execute(call, { ...context, onProgress: (report) => reports.push(report) })
    expect(log).toEqual([
      ['info', 'looked'],
      ['warning', 'slow'],
    ])
    expect(reports).toHaveLength(2)
  })

  test('a stateful tool reports progress while its host waits for its first state', async () => {
    const live = defineTool({
      name: 'live',
      stateful: true,
      async *run(_args, { progress }) {
        progress(1, 2)
        yield waiting('Go on?')
        progress(2, 2)
        return 'done'
      },
    })
    const reports: Progress[] = []
    const reportingContext = {
      ...context,
      onProgress: (report: Progress) => void reports.push(report),
    }
    const handle = await toTool(live).spawn!(call, reportingContext)
    await handle.apply({ input: 'yes' }, context)
    expect(reports).toEqual([{ progress: 1, total: 2 }])
    await toTool(live).execute(call, {
      ...reportingContext,
      ask: async () => ({ action: 'accept', value: 'yes' }),
    })
    expect(reports.slice(1)).toEqual([
      { progress: 1, total: 2 },
      { progress: 2, total: 2 },
    ])
  })
})

test('a unit test receives progress and log', async () => {
  const seen: unknown[] = []
  await testTool(
    busy,
    {},
    { onProgress: (report) => seen.push(report), onLog: (...entry) => seen.push(entry) },
  )
  expect(seen).toEqual([
    { progress: 1, total: 3, message: 'a third' },
    ['info', 'looked'],
    ['warning', 'slow'],
    { progress: 2 },
  ])
})

test('a progress value that is not a number fails the call with a reason', async () => {
  const odd = defineTool({ name: 'odd', run: (_args, { progress }) => (progress(Number.NaN), '') })
  expect(getWords(await testTool(odd, {}))).toEqual([
    'The tool "odd" failed: progress(done, total?, message?): done: expected a finite number, got NaN',
  ])
})

describe('in a program', () => {
  const SOURCE = `await runTools([defineTool({ name: 'probe', stateful: STATEFUL,
    GENERATOR run(args, { call, progress, log }) {
      log('warning', 'slow')
      await new Promise((resolve) => setTimeout(resolve, 150))
      progress(1, 2, 'half')
      await new Promise((resolve) => setTimeout(resolve, 150))
      return call.id
    } })])`

  test.for([
    ['that ends', false, 'async'],
    ['that stays alive', true, 'async *'],
  ] as const)(
    '%s progress and log reach the host over standard error, and the id of the call reaches the tool',
    async ([, stateful, generator]) => {
      const program = writeProgram(
        SOURCE.replace('STATEFUL', String(stateful)).replace('GENERATOR', generator),
      )
      const reports: Progress[] = []
      const reportingContext = program.context({
        onProgress: (report) => void reports.push(report),
      })
      const result = await program
        .tool('probe', { stateful })
        .execute({ id: 'call-9', name: 'probe', arguments: {} }, reportingContext)
      expect(getWords(result)).toEqual(['call-9'])
      expect(reports).toEqual([
        { message: '[warning] slow' },
        { progress: 1, total: 2, message: 'half' },
      ])
    },
  )

  test('without an id from the host the id is empty', async () => {
    const { start } = writeProgram(
      SOURCE.replace('STATEFUL', 'false').replace('GENERATOR', 'async'),
    )
    const { stdout, stderr } = await start(
      '{"context":{"action":"run","root":"."},"tool":{"name":"probe"}}\n',
    )
    expect(JSON.parse(stdout)).toMatchObject({ content: [{ text: '' }] })
    expect(stderr).toBe(
      '[warning] slow\n{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1,"total":2,"message":"half"}}\n',
    )
  })
})
