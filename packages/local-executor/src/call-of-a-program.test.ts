import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ToolContext, ToolResult } from '@toolblocks/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { type LocalToolOptions, createLocalTool } from './create-local-tool.ts'
import type { LocalToolDefinition } from './command/local-tool-definition.ts'

/** Answers every line with what it received: the request, its arguments, its folder and two of its variables. */
const PROGRAM = `
const { createInterface } = require('node:readline')
createInterface({ input: process.stdin }).on('line', (line) => {
  const { seq, ...request } = JSON.parse(line)
  const { HOST_WORD, OWN_WORD, OTHER_WORD } = process.env
  const known = { request, words: process.argv.slice(2), folder: process.cwd(), HOST_WORD, OWN_WORD, OTHER_WORD }
  const { action } = request.context
  const status = seq === undefined ? undefined : action === 'abort' ? 'stopped' : 'running'
  const _meta = { ...(seq !== undefined && { 'toolblocks/re': seq, 'computer.jp/status': status }) }
  process.stdout.write(JSON.stringify({ content: [{ type: 'text', text: JSON.stringify(known) }], _meta }) + '\\n')
  if (action === 'abort') process.exit(0)
})`

function folder(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'toolblocks-call-')))
  onTestFinished(() => rmSync(root, { recursive: true }))
  return root
}

const DEFINITION = {
  name: 'berth_find',
  inputSchema: {
    type: 'object',
    properties: { berth: { type: 'integer' }, dash: { type: 'string' } },
  },
  toolName: 'find',
  env: ['HOST_*'],
  setEnv: { OWN_WORD: 'own' },
  dashArguments: ['dash'],
  formatsArguments: true,
} satisfies Partial<LocalToolDefinition>

const OPTIONS: LocalToolOptions = {
  environment: { PATH: process.env['PATH'], HOST_WORD: 'host', OTHER_WORD: 'other' },
  graceMs: 200,
}

const call = { id: 'call-7', name: 'berth_find', arguments: { berth: 4, dash: '-x' } }
const signal = new AbortController().signal

function contextIn(root: string): ToolContext {
  return {
    signal,
    root,
    answers: { tide: 'low' },
    options: { limit: 7 },
    workspaceId: 'w-1',
    conversationId: 'c-1',
  }
}

function make(root: string, more: Partial<LocalToolDefinition> = {}) {
  writeFileSync(join(root, 'tool.cjs'), PROGRAM)
  const command = [
    process.execPath,
    'tool.cjs',
    '{{tool.arguments.berth}}',
    '{{tool.arguments.dash}}',
    '{{context.action}}',
    '{{tool.options.limit}}',
  ]
  return createLocalTool({ ...DEFINITION, command, ...more }, OPTIONS)
}

const readReport = ({ content: [first] }: ToolResult): unknown =>
  JSON.parse(first?.type === 'text' ? first.text : '')

const getRequest = (action: string, root: string, tool: object) => ({
  context: {
    action,
    root,
    access: null,
    workspace_id: 'w-1',
    conversation_id: 'c-1',
    // A program that is already running has the values of its call.
    ...(!['fetch', 'apply', 'abort'].includes(action) && { call_id: 'call-7' }),
  },
  tool: { name: 'find', ...tool },
})

const knownBy = (action: string, root: string) => ({
  words: ['4', '-x', action, '7'],
  folder: root,
  HOST_WORD: 'host',
  OWN_WORD: 'own',
})

const whole = { arguments: call.arguments, options: { limit: 7 } }

test('a program that runs once receives all values of a call: in its request, its arguments, its folder and its variables', async () => {
  const root = folder()
  const tool = make(root)
  expect(readReport(await tool.execute(call, contextIn(root)))).toEqual({
    request: getRequest('run', root, { ...whole, answers: { tide: 'low' } }),
    ...knownBy('run', root),
  })
  expect(readReport(await tool.formatArguments!(call, contextIn(root)))).toEqual({
    request: getRequest('format_arguments', root, whole),
    ...knownBy('format_arguments', root),
  })
})

test('a program that stays alive receives the same, and new values with each line', async () => {
  const root = folder()
  const live = await make(root, { stateful: true }).spawn!(call, contextIn(root))
  const known = knownBy('spawn', root)
  expect(readReport(live.started)).toEqual({
    request: getRequest('spawn', root, { ...whole, answers: { tide: 'low' } }),
    ...known,
  })
  const asked: [string, Promise<ToolResult>, object][] = [
    ['fetch', live.fetch({ signal }), {}],
    ['apply', live.apply({ input: { deep: 3 } }, { signal }), { input: { deep: 3 } }],
    ['apply', live.apply({ answers: { tide: 'high' } }, { signal }), { answers: { tide: 'high' } }],
  ]
  for (const [action, answer, tool] of asked)
    expect(readReport(await answer)).toEqual({ request: getRequest(action, root, tool), ...known })
  expect(readReport(await live.abort())).toEqual({
    request: getRequest('abort', root, {}),
    ...known,
  })
})

/** Ends 1.5 s after SIGTERM, which the default grace period would allow, and writes a file then. */
const STUBBORN = {
  program: "exec 2> /dev/null; trap 'sleep 1.5; : > late; exit' TERM; while :; do sleep 0.1; done",
  shell: true,
}

test('a tool has the timeout and the grace period that it was created with', async () => {
  const root = folder()
  const tool = make(root, { command: STUBBORN, timeoutMs: 300 })
  expect(await tool.execute(call, contextIn(root))).toMatchObject({
    isError: true,
    metadata: { outcome: 'timeout' },
    content: [{ text: expect.stringContaining('it had not finished after 0.3 s') }],
  })
  expect(existsSync(join(root, 'late'))).toBe(false)
})

test('a live tool has its own timeout for answers, and its call ends with its signal', async () => {
  const root = folder()
  const silent = [process.execPath, '-e', 'process.stdin.on("data", () => {})']
  const tool = make(root, { command: silent, stateful: true, timeoutMs: 300 })
  const live = await tool.spawn!(call, contextIn(root))
  expect(live.started).toMatchObject({
    isError: true,
    metadata: { outcome: 'timeout' },
    content: [
      {
        text: 'Tool "berth_find" did not answer within 0.3 s; it is still running. Fetch again, or abort it.',
      },
    ],
  })
  await live.abort()
  const ending = new AbortController()
  const cancelled = make(root, { command: silent, stateful: true }).execute(call, {
    ...contextIn(root),
    signal: ending.signal,
  })
  setTimeout(() => ending.abort(), 200)
  expect(await cancelled).toMatchObject({ isError: true, metadata: { outcome: 'cancelled' } })
})

test('documents of the older dialect are read if the tool sets it, also while it stays alive', async () => {
  const root = folder()
  const old = '{"type":"success","content":"moored"}'
  const command = [process.execPath, '-e', `console.log(${JSON.stringify(old)})`]
  const callWith = async (more: Partial<LocalToolDefinition>): Promise<unknown> => {
    const tool = make(root, { command, ...more })
    const result = more.stateful
      ? (await tool.spawn!(call, contextIn(root))).started
      : await tool.execute(call, contextIn(root))
    return result.content.map((block) => (block.type === 'text' ? block.text.trim() : block.type))
  }
  expect(await callWith({ dialect: 'outcome' })).toEqual(['moored'])
  expect(await callWith({})).toEqual([old])
  expect(await callWith({ dialect: 'outcome', stateful: true })).toEqual(['moored'])
  expect(await callWith({ stateful: true })).not.toEqual(['moored'])
})

test('the output of a run is stored with its call if its blocks cannot represent it', async () => {
  const root = folder()
  const kept: unknown[] = []
  const keepBytes: ToolContext['keepBytes'] = async (bytes, about) => {
    let text = ''
    for await (const chunk of bytes instanceof Uint8Array ? [bytes] : bytes)
      text += Buffer.from(chunk).toString()
    kept.push([about, text])
    return { sha256: 'b'.repeat(64), bytes: text.length }
  }
  const document = '{"content":[{"type":"video"}]}'
  const command = [process.execPath, '-e', `process.stdout.write(${JSON.stringify(document)})`]
  const tool = make(root, { command })
  const result = await tool.execute(call, { ...contextIn(root), keepBytes })
  expect(result.metadata?.raw).toEqual({ sha256: 'b'.repeat(64), bytes: document.length })
  await tool.formatArguments!(call, { ...contextIn(root), keepBytes })
  expect(kept).toEqual([[{ call: 'call-7', stream: 'stdout' }, document]])
})

test('a problem of the output, and a failure to store it, both give a warning', async () => {
  const root = folder()
  const document = '{"content":[{"type":"video"}]}'
  const program = `process.stderr.write('careful'); process.stdout.write(${JSON.stringify(document)})`
  const tool = make(root, { command: [process.execPath, '-e', program] })
  const keepBytes = async (): Promise<never> => await Promise.reject(new Error('disk full'))
  const { metadata, id } = await tool.execute(call, { ...contextIn(root), keepBytes })
  expect([id, metadata]).toEqual([
    'call-7',
    {
      outcome: 'completed',
      stderr: 'careful',
      warnings: [
        expect.objectContaining({ path: '/content/0', code: 'unknown-block-type' }),
        {
          path: '',
          code: 'output-not-kept',
          message: 'The original output could not be stored: disk full.',
        },
      ],
    },
  ])
})

const REPORTS = `
const report = (params) => process.stderr.write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params }) + '\\n')
process.stderr.write('a line for the log\\n')
report({ progress: 1, total: 2, message: 'half' })
`

test('progress on standard error reaches the host and is not part of the log', async () => {
  const reports: unknown[] = []
  const root = folder()
  const command = [process.execPath, '-e', `${REPORTS} setTimeout(() => process.exit(3), 300)`]
  const context = {
    ...contextIn(root),
    onProgress: (progress: object) => void reports.push(progress),
  }
  const tool = createLocalTool({ ...DEFINITION, command }, OPTIONS)
  const { isError, content } = await tool.execute(call, context)
  expect(reports).toContainEqual({ progress: 1, total: 2, message: 'half' })
  expect(isError).toBe(true)
  expect(JSON.stringify(content)).toContain('a line for the log')
  expect(JSON.stringify(content)).not.toContain('notifications/progress')
})

test('a program that stays alive reports progress while the host waits for it, and not after', async () => {
  const reports: unknown[] = []
  const root = folder()
  const line = JSON.stringify({
    content: [],
    _meta: { 'toolblocks/re': 1, 'computer.jp/status': 'running' },
  })
  const source = `${REPORTS} setTimeout(() => console.log(${JSON.stringify(line)}), 300); setTimeout(() => report({ progress: 2 }), 500)
    process.stdin.on('data', () => {}).on('end', () => process.exit())`
  const command = [process.execPath, '-e', source]
  const context = {
    ...contextIn(root),
    onProgress: (progress: object) => void reports.push(progress),
  }
  const tool = createLocalTool({ ...DEFINITION, command, stateful: true }, OPTIONS)
  const live = await tool.spawn!(call, context)
  const until = [...reports]
  expect(until).toContainEqual({ progress: 1, total: 2, message: 'half' })
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(reports).toEqual(until)
  await live.abort()
})
